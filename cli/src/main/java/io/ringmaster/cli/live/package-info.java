/** The commands of the live plane: the server, and those that ask it. */
@NullMarked
package io.ringmaster.cli.live;

import org.jspecify.annotations.NullMarked;
