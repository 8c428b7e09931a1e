/** Tests. */
@NullMarked
package io.ringmaster.predictor.length;

import org.jspecify.annotations.NullMarked;
