/** What is installed in a cluster. */
@NullMarked
package io.ringmaster.engine.kubernetes.deploy;

import org.jspecify.annotations.NullMarked;
