@NullMarked
package io.ringmaster.cli.advise;

import org.jspecify.annotations.NullMarked;
