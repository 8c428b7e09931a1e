/**
 * A real training program, and the ring all-reduce it needs. It stands alone on the class path of
 * processes that must start quickly: the JDK only.
 */
@NullMarked
package io.ringmaster.training;

import org.jspecify.annotations.NullMarked;
