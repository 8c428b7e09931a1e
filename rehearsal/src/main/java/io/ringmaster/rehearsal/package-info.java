/** For tests: the live plane on virtual time with faults, and the contract of engines. */
@NullMarked
package io.ringmaster.rehearsal;

import org.jspecify.annotations.NullMarked;
