/** Checks of the whole repository: format, layering, links. */
@NullMarked
package io.ringmaster.tidy;

import org.jspecify.annotations.NullMarked;
