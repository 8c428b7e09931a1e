/** Speaks to the API of a Kubernetes. */
@NullMarked
package io.ringmaster.engine.kubernetes.client;

import org.jspecify.annotations.NullMarked;
