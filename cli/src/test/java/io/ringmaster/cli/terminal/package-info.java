@NullMarked
package io.ringmaster.cli.terminal;

import org.jspecify.annotations.NullMarked;
