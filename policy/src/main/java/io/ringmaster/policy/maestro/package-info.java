/** One policy that joins what the others do best. */
@NullMarked
package io.ringmaster.policy.maestro;

import org.jspecify.annotations.NullMarked;
