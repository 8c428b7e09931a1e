/** The experiments of papers. */
@NullMarked
package io.ringmaster.cli.reproduce;

import org.jspecify.annotations.NullMarked;
