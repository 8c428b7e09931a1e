/** How good a schedule could be: bounds and proofs, most by constraint programming. */
@NullMarked
package io.ringmaster.bounds;

import org.jspecify.annotations.NullMarked;
