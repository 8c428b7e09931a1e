/** HTTP: who may ask for what, and how it is answered. */
@NullMarked
package io.ringmaster.control.api;

import org.jspecify.annotations.NullMarked;
