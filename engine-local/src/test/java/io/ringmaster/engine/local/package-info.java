@NullMarked
package io.ringmaster.engine.local;

import org.jspecify.annotations.NullMarked;
