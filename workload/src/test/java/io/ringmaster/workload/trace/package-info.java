@NullMarked
package io.ringmaster.workload.trace;

import org.jspecify.annotations.NullMarked;
