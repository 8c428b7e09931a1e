/**
 * A random forest for regression: trees grown over histograms of binned features. Knows nothing of
 * jobs.
 */
@NullMarked
package io.ringmaster.predictor.forest;

import org.jspecify.annotations.NullMarked;
