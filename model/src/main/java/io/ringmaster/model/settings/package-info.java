/** Named settings that policies and generators declare, and users give with {@code --set}. */
@NullMarked
package io.ringmaster.model.settings;

import org.jspecify.annotations.NullMarked;
