package io.ringmaster.model;

/**
 * One machine of a cluster.
 *
 * @param gpu its type of GPU
 * @param nicBytesPerSecond bandwidth to other servers, b_e of the contention model
 * @param intraBytesPerSecond bandwidth between GPUs of this server, b_i of the contention model
 * @param cpus processor cores; infinite: they are not counted
 * @param memoryBytes infinite: it is not counted
 * @param gpuWatts what a busy GPU draws
 */
public record Server(
    String name,
    int gpus,
    String gpu,
    String rack,
    double nicBytesPerSecond,
    double intraBytesPerSecond,
    double cpus,
    double memoryBytes,
    double gpuWatts) {

  /** What a server has of which nobody says otherwise. */
  public static final double USUAL_NIC_BYTES_PER_SECOND = 10e9 / 8;

  public static final double USUAL_INTRA_BYTES_PER_SECOND = 300e9 / 8;

  /** Where GPUs alone are counted, and draw what is usual for their type. */
  public Server(
      String name,
      int gpus,
      String gpu,
      String rack,
      double nicBytesPerSecond,
      double intraBytesPerSecond) {
    this(
        name,
        gpus,
        gpu,
        rack,
        nicBytesPerSecond,
        intraBytesPerSecond,
        Double.POSITIVE_INFINITY,
        Double.POSITIVE_INFINITY,
        GpuPower.watts(gpu));
  }

  /** An equal server of another name. */
  public Server named(String other) {
    return new Server(
        other,
        gpus,
        gpu,
        rack,
        nicBytesPerSecond,
        intraBytesPerSecond,
        cpus,
        memoryBytes,
        gpuWatts);
  }

  /** The same server with other amounts of what jobs take. */
  public Server limited(int otherGpus, double otherCpus, double otherMemoryBytes) {
    return new Server(
        name,
        otherGpus,
        gpu,
        rack,
        nicBytesPerSecond,
        intraBytesPerSecond,
        otherCpus,
        otherMemoryBytes,
        gpuWatts);
  }

  /** The same server with another link to others. */
  public Server linked(double otherNicBytesPerSecond) {
    return new Server(
        name,
        gpus,
        gpu,
        rack,
        otherNicBytesPerSecond,
        intraBytesPerSecond,
        cpus,
        memoryBytes,
        gpuWatts);
  }

  /** Workers of a demand that it holds when it is empty. */
  public int workers(Demand demand) {
    return workers(demand, gpus, cpus, memoryBytes);
  }

  /** Workers of a demand that it holds where so much of it is free. */
  public int workers(Demand demand, int freeGpus, double freeCpus, double freeMemoryBytes) {
    int byCpus = Demand.workers(freeCpus, demand.cpus(), freeGpus);
    int byMemory = Demand.workers(freeMemoryBytes, demand.memoryBytes(), byCpus);
    return demand.where().of(this, byMemory);
  }

  /** The same server with GPUs of another kind, which draw what is usual for it. */
  public Server ofKind(String otherGpu) {
    return new Server(
        name,
        gpus,
        otherGpu,
        rack,
        nicBytesPerSecond,
        intraBytesPerSecond,
        cpus,
        memoryBytes,
        GpuPower.watts(otherGpu));
  }
}
