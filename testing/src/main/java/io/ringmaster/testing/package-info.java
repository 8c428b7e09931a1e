/** What the tests of several modules share. */
@NullMarked
package io.ringmaster.testing;

import org.jspecify.annotations.NullMarked;
