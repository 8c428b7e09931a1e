/** What a change would be worth: {@code whatif}. */
@NullMarked
package io.ringmaster.cli.whatif;

import org.jspecify.annotations.NullMarked;
