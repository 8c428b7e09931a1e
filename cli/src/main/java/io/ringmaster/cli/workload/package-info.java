/** Commands that make jobs, read them from traces, and predict their lengths. */
@NullMarked
package io.ringmaster.cli.workload;

import org.jspecify.annotations.NullMarked;
