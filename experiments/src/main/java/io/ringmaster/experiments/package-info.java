/** The experiments of the papers, run again. */
@NullMarked
package io.ringmaster.experiments;

import org.jspecify.annotations.NullMarked;
