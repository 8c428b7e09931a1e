/** Tests of runs. */
@NullMarked
package io.ringmaster.runs;

import org.jspecify.annotations.NullMarked;
