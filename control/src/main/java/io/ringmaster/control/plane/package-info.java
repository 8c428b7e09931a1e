/** The one who decides: takes messages in, stores, asks the policy, sends commands out. */
@NullMarked
package io.ringmaster.control.plane;

import org.jspecify.annotations.NullMarked;
