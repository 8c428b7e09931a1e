/** The policy {@code maestro} beside others that stop jobs, in many cells. */
@NullMarked
package io.ringmaster.experiments.rivals;

import org.jspecify.annotations.NullMarked;
