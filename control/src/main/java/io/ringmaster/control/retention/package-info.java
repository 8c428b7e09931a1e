/** What is removed of jobs that ended long ago. */
@NullMarked
package io.ringmaster.control.retention;

import org.jspecify.annotations.NullMarked;
