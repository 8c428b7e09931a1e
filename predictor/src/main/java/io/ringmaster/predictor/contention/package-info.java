/** How rings that share a link slow each other down. */
@NullMarked
package io.ringmaster.predictor.contention;

import org.jspecify.annotations.NullMarked;
