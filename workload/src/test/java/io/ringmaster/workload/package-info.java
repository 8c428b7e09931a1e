@NullMarked
package io.ringmaster.workload;

import org.jspecify.annotations.NullMarked;
