/** Which servers a job of a given size takes, for policies that leave it open. */
@NullMarked
package io.ringmaster.policy.placement;

import org.jspecify.annotations.NullMarked;
