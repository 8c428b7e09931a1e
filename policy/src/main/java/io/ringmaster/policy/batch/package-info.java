/** SJF-BCO and its baselines: a batch of jobs planned onto single GPUs. */
@NullMarked
package io.ringmaster.policy.batch;

import org.jspecify.annotations.NullMarked;
