/** A-SRPT: a virtual single machine under shortest remaining time first guides the real order. */
@NullMarked
package io.ringmaster.policy.asrpt;

import org.jspecify.annotations.NullMarked;
