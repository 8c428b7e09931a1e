/** How fast it is: JMH for the parts, {@link io.ringmaster.bench.WholeRun} for the whole. */
@NullMarked
package io.ringmaster.bench;

import org.jspecify.annotations.NullMarked;
