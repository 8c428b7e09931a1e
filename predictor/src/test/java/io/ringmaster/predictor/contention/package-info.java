/** Tests. */
@NullMarked
package io.ringmaster.predictor.contention;

import org.jspecify.annotations.NullMarked;
