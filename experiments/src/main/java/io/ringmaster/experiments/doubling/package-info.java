/** The doubling heuristic: Capes, Raheja, Kemertas, Mohomed, arXiv 1908.08082. */
@NullMarked
package io.ringmaster.experiments.doubling;

import org.jspecify.annotations.NullMarked;
