/** Tests of the package's commands. */
@NullMarked
package io.ringmaster.cli.simulate;

import org.jspecify.annotations.NullMarked;
