/** The one command line: its commands are in packages by what they do, this one wires them. */
@NullMarked
package io.ringmaster.cli;

import org.jspecify.annotations.NullMarked;
