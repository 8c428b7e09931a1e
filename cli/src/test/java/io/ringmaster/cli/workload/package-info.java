/** Tests of the package's commands. */
@NullMarked
package io.ringmaster.cli.workload;

import org.jspecify.annotations.NullMarked;
