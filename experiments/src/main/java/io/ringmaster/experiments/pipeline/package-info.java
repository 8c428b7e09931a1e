/** How near mappings of pipelines are to the best. */
@NullMarked
package io.ringmaster.experiments.pipeline;

import org.jspecify.annotations.NullMarked;
