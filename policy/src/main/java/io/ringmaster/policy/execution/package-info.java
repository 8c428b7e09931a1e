/**
 * How far jobs are and how fast they go on, whoever keeps the time: a simulated run, the live plane
 * and the trials of planning policies stand on the same arithmetic.
 */
@NullMarked
package io.ringmaster.policy.execution;

import org.jspecify.annotations.NullMarked;
