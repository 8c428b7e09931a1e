/** JSON, read and written in one place: what a record declares is what a document holds. */
@NullMarked
package io.ringmaster.workload.json;

import org.jspecify.annotations.NullMarked;
