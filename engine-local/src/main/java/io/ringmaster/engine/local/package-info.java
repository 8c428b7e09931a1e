/** Jobs as processes of this machine. */
@NullMarked
package io.ringmaster.engine.local;

import org.jspecify.annotations.NullMarked;
