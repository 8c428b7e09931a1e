/** Every policy on the published Philly trace. */
@NullMarked
package io.ringmaster.experiments.philly;

import org.jspecify.annotations.NullMarked;
