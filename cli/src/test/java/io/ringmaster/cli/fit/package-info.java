/** Tests of the package's commands. */
@NullMarked
package io.ringmaster.cli.fit;

import org.jspecify.annotations.NullMarked;
