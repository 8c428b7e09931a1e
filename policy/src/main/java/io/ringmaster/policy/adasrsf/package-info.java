/** Ada-SRSF: smallest service first, least-loaded servers, and a gate on shared links. */
@NullMarked
package io.ringmaster.policy.adasrsf;

import org.jspecify.annotations.NullMarked;
