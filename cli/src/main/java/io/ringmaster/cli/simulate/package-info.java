/** Commands that run jobs under policies, and look at what came out. */
@NullMarked
package io.ringmaster.cli.simulate;

import org.jspecify.annotations.NullMarked;
