/** Tests. */
@NullMarked
package io.ringmaster.predictor.speed;

import org.jspecify.annotations.NullMarked;
