package io.ringmaster.training;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32;

/** The file that a training goes on from. It is always whole: an older one or a newer one. */
final class Checkpoint {
  private static final String NAME = "worker.checkpoint";
  private static final long MAGIC = 0x524d545241494e31L; // "RMTRAIN1"
  private static final int HEAD_BYTES = 8 + 8 + 4 + 8 + 8 + 8 + 8 + 4;

  private final Path file;

  Checkpoint(Path folder) {
    file = folder.resolve(NAME);
  }

  /** Written aside, and on the disk before it takes the old one's place. */
  void save(WorkerOptions options, Progress progress) throws IOException {
    Path aside = file.resolveSibling(NAME + ".new");
    try (FileChannel channel =
        FileChannel.open(
            aside,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(bytes(options, progress));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel folder = FileChannel.open(aside.resolveSibling("."))) {
      folder.force(true);
    }
  }

  private static byte[] bytes(WorkerOptions options, Progress progress) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(MAGIC);
    out.writeLong(options.seed());
    out.writeInt(options.hidden());
    out.writeLong(progress.samples);
    out.writeLong(progress.iteration);
    out.writeDouble(progress.loss);
    out.writeDouble(progress.rate);
    out.writeInt(progress.parameters.length);
    ByteBuffer parameters = ByteBuffer.allocate(progress.parameters.length * Float.BYTES);
    parameters.asFloatBuffer().put(progress.parameters);
    out.write(parameters.array());
    out.writeLong(sum(bytes.toByteArray(), bytes.size()));
    return bytes.toByteArray();
  }

  /**
   * Where to go on; the beginning if there is no file.
   *
   * @throws BadOption if it is of another model, or damaged
   */
  Progress load(WorkerOptions options) throws IOException {
    Progress progress = Trainer.fresh(options);
    byte[] all;
    try {
      all = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return progress;
    }
    ByteBuffer bytes = ByteBuffer.wrap(all);
    int end = all.length - Long.BYTES;
    if (end < HEAD_BYTES || bytes.getLong() != MAGIC || bytes.getLong(end) != sum(all, end)) {
      throw new BadOption(file + ": not a whole checkpoint; remove it to start from the beginning");
    }
    long seed = bytes.getLong();
    int hidden = bytes.getInt();
    if (seed != options.seed() || hidden != options.hidden()) {
      throw new BadOption(
          file
              + ": is of another model (--hidden "
              + hidden
              + " --seed "
              + seed
              + ", not --hidden "
              + options.hidden()
              + " --seed "
              + options.seed()
              + "); give the same options, or remove it to start from the beginning");
    }
    progress.samples = bytes.getLong();
    progress.iteration = bytes.getLong();
    progress.loss = bytes.getDouble();
    progress.rate = bytes.getDouble();
    if (bytes.getInt() != progress.parameters.length) {
      throw new BadOption(file + ": written by another version; remove it to start again");
    }
    bytes.asFloatBuffer().get(progress.parameters);
    return progress;
  }

  private static long sum(byte[] bytes, int length) {
    CRC32 sum = new CRC32();
    sum.update(bytes, 0, length);
    return sum.getValue();
  }
}
