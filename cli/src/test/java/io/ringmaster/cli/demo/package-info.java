@NullMarked
package io.ringmaster.cli.demo;

import org.jspecify.annotations.NullMarked;
