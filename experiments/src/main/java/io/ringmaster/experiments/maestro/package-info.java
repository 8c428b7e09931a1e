/** The policy {@code maestro} beside each of the four policies that it is made of. */
@NullMarked
package io.ringmaster.experiments.maestro;

import org.jspecify.annotations.NullMarked;
