/** Pages that show what a run, a comparison or a reproduction came to. */
@NullMarked
package io.ringmaster.report;

import org.jspecify.annotations.NullMarked;
