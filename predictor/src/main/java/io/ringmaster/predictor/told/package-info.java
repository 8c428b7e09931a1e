/** How wrong what was told of lengths has been so far, and what to expect of a job after that. */
@NullMarked
package io.ringmaster.predictor.told;

import org.jspecify.annotations.NullMarked;
