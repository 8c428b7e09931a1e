/** A-SRPT: Luo, Liu, Lee, Shroff, INFOCOM 2025, arXiv 2501.05563. */
@NullMarked
package io.ringmaster.experiments.asrpt;

import org.jspecify.annotations.NullMarked;
