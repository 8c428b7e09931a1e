/** Jobs whose workers are doubled: the doubling heuristic and its baselines. */
@NullMarked
package io.ringmaster.experiments.doubling;

import org.jspecify.annotations.NullMarked;
