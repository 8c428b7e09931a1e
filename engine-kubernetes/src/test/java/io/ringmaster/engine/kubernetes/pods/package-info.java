@NullMarked
package io.ringmaster.engine.kubernetes.pods;

import org.jspecify.annotations.NullMarked;
