/** The experiments by name. It knows all of them, and none of them knows it. */
@NullMarked
package io.ringmaster.experiments.registry;

import org.jspecify.annotations.NullMarked;
