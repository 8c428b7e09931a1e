/** Runs attempts on the nodes of Slurm allocations, through an agent on each node. */
@NullMarked
package io.ringmaster.engine.slurm.allocation;

import org.jspecify.annotations.NullMarked;
