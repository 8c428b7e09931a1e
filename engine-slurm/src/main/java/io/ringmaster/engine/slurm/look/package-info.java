/** Looks at a Slurm queue with an ordinary user's rights, seldom, and changes nothing. */
@NullMarked
package io.ringmaster.engine.slurm.look;

import org.jspecify.annotations.NullMarked;
