/** What a change would be worth: {@code whatif} and {@code size}. */
@NullMarked
package io.ringmaster.cli.whatif;

import org.jspecify.annotations.NullMarked;
