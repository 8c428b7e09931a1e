/** Tests. */
@NullMarked
package io.ringmaster.predictor.forest;

import org.jspecify.annotations.NullMarked;
