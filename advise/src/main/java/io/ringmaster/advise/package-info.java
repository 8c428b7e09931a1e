/** When the waiting jobs of a queue start, why not now, and what would help. */
@NullMarked
package io.ringmaster.advise;

import org.jspecify.annotations.NullMarked;
