@NullMarked
package io.ringmaster.engine.kubernetes.look;

import org.jspecify.annotations.NullMarked;
