/** What a cluster can do, measured. */
@NullMarked
package io.ringmaster.cli.calibrate;

import org.jspecify.annotations.NullMarked;
