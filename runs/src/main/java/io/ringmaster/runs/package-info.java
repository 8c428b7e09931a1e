/** A run as a library: in parallel, validated, its folder in and out. */
@NullMarked
package io.ringmaster.runs;

import org.jspecify.annotations.NullMarked;
