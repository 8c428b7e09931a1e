/** Looks at a Kubernetes with rights to read, and changes nothing. */
@NullMarked
package io.ringmaster.engine.kubernetes.look;

import org.jspecify.annotations.NullMarked;
