/** What a network can do, measured with rings of real processes. */
@NullMarked
package io.ringmaster.calibration;

import org.jspecify.annotations.NullMarked;
