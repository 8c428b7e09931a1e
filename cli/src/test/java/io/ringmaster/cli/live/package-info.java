/** Tests of the commands of the live plane. */
@NullMarked
package io.ringmaster.cli.live;

import org.jspecify.annotations.NullMarked;
