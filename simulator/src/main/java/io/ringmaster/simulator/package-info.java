/** Time: events, speeds, results, and the checks that a finished run must pass. */
@NullMarked
package io.ringmaster.simulator;

import org.jspecify.annotations.NullMarked;
