package io.ringmaster.workload.trace;

/**
 * What a job holds, as Slurm writes trackable resources: {@code
 * billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=2}.
 *
 * <p>A site may count GPUs by type, or in all, or both. If both are there they are the same GPUs:
 * {@code gres/gpu} counts, and the types only if it is missing.
 *
 * @param gpus 0 if there are none
 * @param cpus 0 if the text does not say
 * @param memoryBytes 0 if the text does not say
 */
record Tres(long gpus, double cpus, double memoryBytes) {
  static final Tres NOTHING = new Tres(0, 0, 0);

  private static final String GPU = "gres/gpu";

  /** Adds up one resource after the other. */
  static final class Sum {
    private long all = -1;
    private long typed;
    private double cpus;
    private double memoryBytes;

    /** A resource by its full name, such as {@code gres/gpu:a100}. */
    void gpus(String name, double count) {
      if (name.equals(GPU)) {
        all = Math.max(0, all) + whole(count);
      } else if (name.startsWith(GPU + ":")) {
        typed += whole(count);
      }
    }

    void cpus(double count) {
      cpus += count;
    }

    void memoryBytes(double bytes) {
      memoryBytes += bytes;
    }

    Tres tres() {
      return new Tres(all < 0 ? typed : all, cpus, memoryBytes);
    }

    private static long whole(double count) {
      if (!(count >= 0 && count < Integer.MAX_VALUE)) {
        throw new IllegalArgumentException(Double.toString(count));
      }
      return (long) Math.ceil(count);
    }
  }

  /**
   * Reads the resources of a job.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Tres of(String text) {
    if (text.isEmpty()) {
      return NOTHING;
    }
    Sum sum = new Sum();
    for (String part : text.split(",", -1)) {
      int equals = part.lastIndexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException(text);
      }
      String name = part.substring(0, equals);
      String value = part.substring(equals + 1);
      if (name.startsWith(GPU)) {
        // Whatever else begins so is no number of GPUs: gres/gpumem, gres/gpuutil.
        sum.gpus(name, name.equals(GPU) || name.startsWith(GPU + ":") ? amount(value, 1000) : 0);
      } else if (name.equals("cpu")) {
        sum.cpus(amount(value, 1000));
      } else if (name.equals("mem")) {
        sum.memoryBytes(memory(value));
      }
    }
    return sum.tres();
  }

  /**
   * GPUs of what Slurm before 20.11 printed: {@code gpu:4}, {@code gpu:a100:4}, {@code
   * gres:gpu:4(IDX:0-3)}.
   */
  static long ofGres(String text) {
    long gpus = 0;
    int depth = 0;
    StringBuilder part = new StringBuilder();
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ',';
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (c == ',' && depth <= 0) {
        gpus += oneGres(part.toString(), text);
        part.setLength(0);
      } else if (depth <= 0) {
        part.append(c);
      }
    }
    return gpus;
  }

  /** The type of GPU in {@code gpu:a100:4}; empty if there is none. */
  static String gpuType(String text) {
    for (String part : text.replaceAll("\\([^)]*\\)", "").split(",", -1)) {
      String[] words = (part.startsWith("gres:") ? part.substring(5) : part).split("[:=]", -1);
      boolean isTyped = words.length > 1 && words[0].equals("gpu") && !words[1].isEmpty();
      if (isTyped && !words[1].chars().allMatch(c -> c >= '0' && c <= '9')) {
        return words[1];
      }
    }
    return "";
  }

  private static long oneGres(String part, String text) {
    String name = part.startsWith("gres:") ? part.substring(5) : part;
    if (name.equals("gpu")) {
      return 1;
    }
    if (!name.startsWith("gpu:")) {
      return 0;
    }
    String last = name.substring(name.lastIndexOf(':') + 1);
    // A type without a number is one GPU of it.
    boolean number = !last.isEmpty() && last.chars().allMatch(c -> c >= '0' && c <= '9');
    if (last.length() > 9) {
      throw new IllegalArgumentException(text);
    }
    return number ? Long.parseLong(last) : 1;
  }

  /** Bytes of {@code 64G}; a plain number is in MB, as everywhere in Slurm. */
  static double memory(String text) {
    boolean plain = !text.isEmpty() && Character.isDigit(text.charAt(text.length() - 1));
    return amount(plain ? text + "M" : text, 1024);
  }

  /**
   * Memory asked for: {@code 64G} in all, before Slurm 21.08 {@code 4Gc} a CPU, {@code 64Gn} a
   * node.
   */
  static double requestedMemory(String text, double cpus, int nodes) {
    if (text.isEmpty() || text.equals("?")) {
      return 0;
    }
    char last = text.charAt(text.length() - 1);
    String amount = last == 'c' || last == 'n' ? text.substring(0, text.length() - 1) : text;
    return memory(amount) * (last == 'c' ? cpus : last == 'n' ? nodes : 1);
  }

  private static double amount(String text, int thousand) {
    int unit = text.isEmpty() ? -1 : "KMGTPE".indexOf(text.charAt(text.length() - 1));
    String digits = unit < 0 ? text : text.substring(0, text.length() - 1);
    if (digits.isEmpty()
        || digits.length() > 20
        || !digits.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.')) {
      throw new IllegalArgumentException(text);
    }
    return Double.parseDouble(digits) * Math.pow(thousand, unit + 1);
  }
}
