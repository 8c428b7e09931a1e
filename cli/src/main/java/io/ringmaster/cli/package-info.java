/** What a person types: commands, tables, progress, and the files that a run leaves. */
@NullMarked
package io.ringmaster.cli;

import org.jspecify.annotations.NullMarked;
