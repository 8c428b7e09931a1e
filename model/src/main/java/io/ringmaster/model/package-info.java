/** What exists: clusters, jobs, placements, and how long an iteration takes. Arithmetic only. */
@NullMarked
package io.ringmaster.model;

import org.jspecify.annotations.NullMarked;
