/** What to do next: a policy is a decision on a read-only view. */
@NullMarked
package io.ringmaster.policy;

import org.jspecify.annotations.NullMarked;
