/** The policies that every cluster has: first come, shortest first, backfilling, least service. */
@NullMarked
package io.ringmaster.policy.classic;

import org.jspecify.annotations.NullMarked;
