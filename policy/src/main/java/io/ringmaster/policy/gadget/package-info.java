/** GADGET: elastic rings embedded in the network, slot by slot. */
@NullMarked
package io.ringmaster.policy.gadget;

import org.jspecify.annotations.NullMarked;
