/** Tests of the package's commands. */
@NullMarked
package io.ringmaster.cli.reproduce;

import org.jspecify.annotations.NullMarked;
