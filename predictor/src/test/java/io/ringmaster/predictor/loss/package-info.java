/** Tests. */
@NullMarked
package io.ringmaster.predictor.loss;

import org.jspecify.annotations.NullMarked;
