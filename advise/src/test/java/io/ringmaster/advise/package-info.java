@NullMarked
package io.ringmaster.advise;

import org.jspecify.annotations.NullMarked;
