/** Jobs as graphs: pipeline stages, their replicas, and where those sit. */
@NullMarked
package io.ringmaster.model.pipeline;

import org.jspecify.annotations.NullMarked;
