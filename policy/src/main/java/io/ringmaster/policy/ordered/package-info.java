/**
 * Jobs that start in an order and run to their end, on servers that may be reserved for those that
 * would lose much by being scattered.
 */
@NullMarked
package io.ringmaster.policy.ordered;

import org.jspecify.annotations.NullMarked;
