/** When a job's loss will have fallen far enough. */
@NullMarked
package io.ringmaster.predictor.loss;

import org.jspecify.annotations.NullMarked;
