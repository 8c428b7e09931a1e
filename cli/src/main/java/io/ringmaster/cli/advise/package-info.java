/** When waiting jobs start: {@code advise}. */
@NullMarked
package io.ringmaster.cli.advise;

import org.jspecify.annotations.NullMarked;
