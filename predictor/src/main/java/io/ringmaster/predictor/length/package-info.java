/**
 * How long a job will take, from what is known when it comes and from the jobs that ended before: a
 * random forest over features of its group, its user and its model. A length is in seconds or in
 * iterations; nothing here asks which.
 */
@NullMarked
package io.ringmaster.predictor.length;

import org.jspecify.annotations.NullMarked;
