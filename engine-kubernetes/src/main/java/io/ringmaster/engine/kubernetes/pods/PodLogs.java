package io.ringmaster.engine.kubernetes.pods;

import io.ringmaster.control.engine.Engine.Stream;
import io.ringmaster.control.job.Allocation;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.engine.local.DataFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What workers printed: in the logs of their pods while these run, and in a folder of ours from
 * then on, a file for each pod that says in its name which ranks it has.
 */
final class PodLogs {
  /** {@code 4-2.log}: two workers from rank 4 on. */
  private static final Pattern NAME = Pattern.compile("([0-9]{1,9})-([0-9]{1,9})\\.log");

  private final Path folder;
  private final Api api;
  private final Manifests manifests;

  PodLogs(Path folder, Api api, Manifests manifests) {
    this.folder = folder;
    this.api = api;
    this.manifests = manifests;
  }

  /** The ranks of a pod, and how to read its log. */
  private record Source(int first, int count, Reader reader) {
    boolean has(int rank) {
      return rank >= first && rank < first + count;
    }
  }

  @FunctionalInterface
  private interface Reader {
    byte[] read(Api.Reading<byte[]> reading) throws IOException;
  }

  private Path folder(AttemptId attempt) {
    return folder.resolve(attempt.job() + "/" + attempt.attempt());
  }

  /** Fetches what the pods of an attempt that has ended have printed. */
  void collect(AttemptRecord record) throws IOException {
    Path place = folder(record.attempt());
    Files.createDirectories(place);
    int first = 0;
    for (int index = 0; index < record.pods(); index++) {
      int count = record.slots.get(index).size();
      Path file = place.resolve(first + "-" + count + ".log");
      Path aside = place.resolve(file.getFileName() + ".new");
      api.log(
          manifests.podName(record.attempt(), index),
          in -> Files.copy(in, aside, StandardCopyOption.REPLACE_EXISTING));
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      first += count;
    }
  }

  /** Leaves nothing to be read, for an attempt whose pods do not answer. */
  void giveUp(AttemptRecord record) throws IOException {
    Path place = folder(record.attempt());
    Files.createDirectories(place);
    int first = 0;
    for (List<Integer> slots : record.slots) {
      DataFolder.put(place.resolve(first + "-" + slots.size() + ".log"), "");
      first += slots.size();
    }
  }

  /**
   * Reads.
   *
   * @param record null: the attempt was forgotten, or never was
   */
  InputStream read(
      AttemptId attempt, @Nullable AttemptRecord record, int rank, Stream stream, long fromByte)
      throws IOException {
    List<Source> sources = record == null || record.collected ? kept(attempt) : running(record);
    if (stream != Stream.PROGRESS) {
      sources = sources.stream().filter(source -> source.has(rank)).toList();
    }
    if (sources.isEmpty()) {
      throw new NoSuchFileException("log of worker %d of attempt %s".formatted(rank, attempt));
    }
    if (stream != Stream.PROGRESS) {
      return new ByteArrayInputStream(
          sources.getFirst().reader.read(in -> Frames.read(in, rank, stream, fromByte)));
    }
    // What the workers of one node report comes after what those of another do.
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    for (Source source : sources) {
      found.writeBytes(source.reader.read(in -> Frames.read(in, rank, stream, 0)));
    }
    InputStream all = new ByteArrayInputStream(found.toByteArray());
    all.skip(fromByte);
    return all;
  }

  private List<Source> running(AttemptRecord record) {
    List<Source> sources = new ArrayList<>();
    Allocation allocation = Objects.requireNonNull(record.allocation);
    int first = 0;
    for (int index = 0; index < record.pods(); index++) {
      String pod = manifests.podName(record.attempt(), index);
      int count = allocation.shares().get(index).gpus();
      sources.add(new Source(first, count, reading -> api.log(pod, reading)));
      first += count;
    }
    return sources;
  }

  private List<Source> kept(AttemptId attempt) throws IOException {
    Path place = folder(attempt);
    List<Source> sources = new ArrayList<>();
    if (Files.isDirectory(place)) {
      for (Path file : DataFolder.list(place)) {
        Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
        if (name.matches()) {
          sources.add(
              new Source(
                  Integer.parseInt(name.group(1)),
                  Integer.parseInt(name.group(2)),
                  reading -> {
                    try (InputStream in = Files.newInputStream(file)) {
                      return reading.read(in);
                    }
                  }));
        }
      }
    }
    sources.sort((one, other) -> Integer.compare(one.first, other.first));
    return sources;
  }
}
