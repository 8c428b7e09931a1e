/** Elastic jobs on reserved bandwidth: GADGET and its baselines. */
@NullMarked
package io.ringmaster.experiments.gadget;

import org.jspecify.annotations.NullMarked;
