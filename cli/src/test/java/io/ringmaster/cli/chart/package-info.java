@NullMarked
package io.ringmaster.cli.chart;

import org.jspecify.annotations.NullMarked;
