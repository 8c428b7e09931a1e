/** What a job is to the live plane, and what may happen to it: a pure state machine. */
@NullMarked
package io.ringmaster.control.job;

import org.jspecify.annotations.NullMarked;
