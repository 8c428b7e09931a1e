/** JSON in and out. */
@NullMarked
package io.ringmaster.control.json;

import org.jspecify.annotations.NullMarked;
