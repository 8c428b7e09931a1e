@NullMarked
package io.ringmaster.predictor;

import org.jspecify.annotations.NullMarked;
