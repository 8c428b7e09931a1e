@NullMarked
package io.ringmaster.cli.whatif;

import org.jspecify.annotations.NullMarked;
