/** Slurm's own commands, called with a time limit. */
@NullMarked
package io.ringmaster.engine.slurm.client;

import org.jspecify.annotations.NullMarked;
