package io.ringmaster.testbed;

import io.ringmaster.training.Ring;
import io.ringmaster.training.RingBroken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import sun.misc.Signal;

/**
 * A job that is all phases of training and no learning: each worker sleeps, as if a device computed
 * a mini-batch, and then all of them sum up a gradient around a real ring.
 *
 * <p>{@code RingJob GRADIENT_BYTES COMPUTE_MS BATCHES}. It may be stopped and resized at any time.
 */
final class RingJob {
  private static volatile float stop;

  public static void main(String[] args) throws IOException, InterruptedException {
    Signal.handle(new Signal("TERM"), _ -> stop = 1);
    int rank = number("RANK");
    int workers = number("WORLD_SIZE");
    float[] gradient = new float[Integer.parseInt(args[0]) / Float.BYTES];
    long computeNanos = (long) (1e6 * Double.parseDouble(args[1]));
    float batches = Float.parseFloat(args[2]);
    Path saved = Path.of(System.getenv("RINGMASTER_CHECKPOINT_DIR"), "done");
    String id = System.getenv("RINGMASTER_JOB") + "." + System.getenv("RINGMASTER_ATTEMPT");
    try (Ring ring =
        Ring.join(
            rank,
            workers,
            System.getenv("MASTER_ADDR"),
            number("MASTER_PORT"),
            id,
            Duration.ofSeconds(60))) {
      float[] begin = {
        rank == 0 && Files.exists(saved) ? Float.parseFloat(Files.readString(saved)) : 0
      };
      ring.allReduce(begin);
      float done = begin[0];
      report(rank, done / batches);
      boolean stopped = false;
      for (long spoke = System.nanoTime(); done < batches && !stopped; done += workers) {
        Thread.sleep(Duration.ofNanos(computeNanos));
        gradient[0] = stop;
        ring.allReduce(gradient);
        stopped = gradient[0] > 0;
        gradient[0] = 0;
        if (System.nanoTime() - spoke > 1_000_000_000) {
          spoke = System.nanoTime();
          report(rank, (done + workers) / batches);
        }
      }
      if (rank == 0) {
        Path aside = saved.resolveSibling("done.new");
        Files.writeString(aside, Float.toString(done));
        Files.move(aside, saved, StandardCopyOption.ATOMIC_MOVE);
      }
      report(rank, done / batches);
      System.exit(done < batches ? 143 : 0);
    } catch (RingBroken e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private static int number(String variable) {
    return Integer.parseInt(System.getenv(variable));
  }

  private static void report(int rank, float done) throws IOException {
    if (rank == 0) {
      String line =
          String.format(
              Locale.ROOT,
              "{\"at_s\": %.3f, \"done\": %.6f}%n",
              System.currentTimeMillis() / 1e3,
              Math.min(1, done));
      Files.writeString(
          Path.of(System.getenv("RINGMASTER_PROGRESS")),
          line,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
