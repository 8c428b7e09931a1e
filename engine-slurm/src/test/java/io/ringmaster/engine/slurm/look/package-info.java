@NullMarked
package io.ringmaster.engine.slurm.look;

import org.jspecify.annotations.NullMarked;
