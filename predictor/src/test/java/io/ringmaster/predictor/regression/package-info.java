/** Tests. */
@NullMarked
package io.ringmaster.predictor.regression;

import org.jspecify.annotations.NullMarked;
