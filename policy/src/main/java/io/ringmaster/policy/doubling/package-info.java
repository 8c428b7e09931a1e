/** The doubling heuristic: Capes, Raheja, Kemertas, Mohomed, arXiv 1908.08082. */
@NullMarked
package io.ringmaster.policy.doubling;

import org.jspecify.annotations.NullMarked;
