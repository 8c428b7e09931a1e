/** Traces of other sites and other schedulers, read into the native jobs file. */
@NullMarked
package io.ringmaster.workload.trace;

import org.jspecify.annotations.NullMarked;
