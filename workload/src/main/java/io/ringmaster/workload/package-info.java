/** Jobs and clusters in and out: the files that users write, and generators of workloads. */
@NullMarked
package io.ringmaster.workload;

import org.jspecify.annotations.NullMarked;
