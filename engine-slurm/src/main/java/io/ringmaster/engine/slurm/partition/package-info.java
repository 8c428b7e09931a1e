/** A partition of its own: people go on with sbatch, Ringmaster decides order and nodes. */
@NullMarked
package io.ringmaster.engine.slurm.partition;

import org.jspecify.annotations.NullMarked;
