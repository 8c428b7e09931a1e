/** Where jobs run, as the plane sees it: few verbs, and no trust. */
@NullMarked
package io.ringmaster.control.engine;

import org.jspecify.annotations.NullMarked;
