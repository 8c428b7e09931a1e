/** Tests of the package's commands. */
@NullMarked
package io.ringmaster.cli.calibrate;

import org.jspecify.annotations.NullMarked;
