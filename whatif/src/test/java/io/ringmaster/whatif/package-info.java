@NullMarked
package io.ringmaster.whatif;

import org.jspecify.annotations.NullMarked;
