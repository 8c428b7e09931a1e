/** Options that several commands have, once each. */
@NullMarked
package io.ringmaster.cli.options;

import org.jspecify.annotations.NullMarked;
