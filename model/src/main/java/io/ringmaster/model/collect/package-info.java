/** Primitive collections for dense int ids, the few that the simulator and the policies need. */
@NullMarked
package io.ringmaster.model.collect;

import org.jspecify.annotations.NullMarked;
