/** How fast a job is with some number of workers in some place. */
@NullMarked
package io.ringmaster.predictor.speed;

import org.jspecify.annotations.NullMarked;
