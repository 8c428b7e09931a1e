/** What is not known beforehand, found from measurements. */
@NullMarked
package io.ringmaster.predictor;

import org.jspecify.annotations.NullMarked;
