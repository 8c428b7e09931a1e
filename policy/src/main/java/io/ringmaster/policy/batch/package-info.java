/** The baselines of SJF-BCO: smallest job first on first-fit, least-loaded or random GPUs. */
@NullMarked
package io.ringmaster.policy.batch;

import org.jspecify.annotations.NullMarked;
