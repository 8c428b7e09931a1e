/** Policies that share the cluster out anew in every slot of time. */
@NullMarked
package io.ringmaster.policy.slots;

import org.jspecify.annotations.NullMarked;
