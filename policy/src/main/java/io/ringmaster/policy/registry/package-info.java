/** Every policy by name. */
@NullMarked
package io.ringmaster.policy.registry;

import org.jspecify.annotations.NullMarked;
