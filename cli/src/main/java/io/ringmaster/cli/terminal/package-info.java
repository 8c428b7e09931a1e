/** What every command shows: tables, times, numbers, progress, its exit status. */
@NullMarked
package io.ringmaster.cli.terminal;

import org.jspecify.annotations.NullMarked;
