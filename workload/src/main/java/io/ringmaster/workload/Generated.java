package io.ringmaster.workload;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;

/** A workload and the cluster that it is meant for. */
public record Generated(Jobs jobs, Cluster cluster) {}
