@NullMarked
package io.ringmaster.site;

import org.jspecify.annotations.NullMarked;
