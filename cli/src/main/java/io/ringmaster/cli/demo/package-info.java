/** The demo: real elastic training on this machine, watched, and set beside what was predicted. */
@NullMarked
package io.ringmaster.cli.demo;

import org.jspecify.annotations.NullMarked;
