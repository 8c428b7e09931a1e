/** The experiment of the Ada-SRSF paper: jobs as tasks on shared GPUs and shared links. */
@NullMarked
package io.ringmaster.experiments.adasrsf;

import org.jspecify.annotations.NullMarked;
