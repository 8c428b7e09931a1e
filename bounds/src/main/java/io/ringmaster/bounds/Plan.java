package io.ringmaster.bounds;

import io.ringmaster.model.Placement;
import java.util.List;

/**
 * A schedule that a search found.
 *
 * @param startSeconds when each job is to start
 * @param placements where; empty if any GPUs will do
 */
@SuppressWarnings("ArrayRecordComponent") // Plans are never compared.
record Plan(double[] startSeconds, List<Placement> placements) {}
