/** Fits of models to measurements. */
@NullMarked
package io.ringmaster.cli.fit;

import org.jspecify.annotations.NullMarked;
