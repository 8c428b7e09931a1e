/** Least squares, and how sure its answers are. */
@NullMarked
package io.ringmaster.predictor.regression;

import org.jspecify.annotations.NullMarked;
