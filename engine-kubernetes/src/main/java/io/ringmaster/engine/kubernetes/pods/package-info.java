/** Runs jobs as pods, one on each of their nodes. */
@NullMarked
package io.ringmaster.engine.kubernetes.pods;

import org.jspecify.annotations.NullMarked;
