@NullMarked
package io.ringmaster.calibration;

import org.jspecify.annotations.NullMarked;
