/** A run and the folder that it leaves. */
@NullMarked
package io.ringmaster.cli.runs;

import org.jspecify.annotations.NullMarked;
