/** The experiment of the SJF-BCO paper. */
@NullMarked
package io.ringmaster.experiments.sjfbco;

import org.jspecify.annotations.NullMarked;
