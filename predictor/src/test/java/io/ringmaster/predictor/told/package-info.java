/** Tests. */
@NullMarked
package io.ringmaster.predictor.told;

import org.jspecify.annotations.NullMarked;
