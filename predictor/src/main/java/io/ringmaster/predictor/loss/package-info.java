/**
 * When a job's loss will have fallen far enough: the curve 1 / (b0 k + b1) + b2 through the losses
 * that it reported, and the epoch at which that curve is flat or low enough.
 */
@NullMarked
package io.ringmaster.predictor.loss;

import org.jspecify.annotations.NullMarked;
