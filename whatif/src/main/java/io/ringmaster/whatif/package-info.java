/** What a change would be worth to a site: its own history, replayed under changes. */
@NullMarked
package io.ringmaster.whatif;

import org.jspecify.annotations.NullMarked;
