/** Pages that show what a run, a comparison or a reproduction came to. */
@NullMarked
@NamedAsDeclared
package io.ringmaster.report;

import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import org.jspecify.annotations.NullMarked;
