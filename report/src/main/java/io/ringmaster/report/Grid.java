package io.ringmaster.report;

import io.ringmaster.model.Cluster;
import io.ringmaster.model.Jobs;
import io.ringmaster.simulator.Segments;
import io.ringmaster.workload.json.RecordFields.NamedAsDeclared;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * The cluster in cells: rows of one server, or of some neighbours if there are many, and columns of
 * equal time. A cell tells how busy it was, with whose jobs, and how many rings crossed its links.
 */
@NamedAsDeclared
public final class Grid {
  private static final int NONE = 255;

  /**
   * The type Grid in web/src/data.ts.
   *
   * @param rows names of the rows
   * @param busy bytes in base64, row after row, as are those that follow
   * @param user empty if a picture does not tell
   * @param rings empty if a picture does not tell
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Cells(
      double start,
      double binSeconds,
      int bins,
      List<String> rows,
      int[] gpus,
      String busy,
      String size,
      String user,
      String rings) {}

  /** Users that have a colour; all others share one. */
  private static final int USERS = 8;

  private static final int RING_STEPS = 16;

  private final Cluster cluster;
  private final Jobs jobs;
  private final SizeClasses sizes;
  private final Users users;
  private final double start;
  private final double end;
  private final int bins;
  private final int serversPerRow;
  private final int rows;

  private final Bins[] rings;
  private final Bins[] bySize;
  private final Bins[] byUser;

  /**
   * @param mostRows rows that there may be
   * @param bins columns
   */
  public Grid(
      Cluster cluster,
      Jobs jobs,
      Segments segments,
      SizeClasses sizes,
      Users users,
      double startSeconds,
      double endSeconds,
      int mostRows,
      int bins) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.sizes = sizes;
    this.users = users;
    this.start = startSeconds;
    this.end = endSeconds;
    this.bins = bins;
    this.serversPerRow = (cluster.size() + mostRows - 1) / mostRows;
    this.rows = (cluster.size() + serversPerRow - 1) / serversPerRow;
    this.rings = empty(rows);
    this.bySize = empty(rows * sizes.labels().size());
    this.byUser = empty(rows * (USERS + 1));
    for (int row = 0; row < segments.size(); row++) {
      add(segments, row);
    }
  }

  private Bins[] empty(int count) {
    Bins[] all = new Bins[count];
    for (int i = 0; i < count; i++) {
      all[i] = new Bins(start, end, bins);
    }
    return all;
  }

  private void add(Segments segments, int i) {
    int row = segments.server(i) / serversPerRow;
    int job = segments.job(i);
    double from = rings[0].place(segments.start(i));
    double to = rings[0].place(segments.end(i));
    int user = Math.min(USERS, users.of(job));
    bySize[row * sizes.labels().size() + sizes.of(job)].addPlaces(from, to, segments.gpus(i));
    byUser[row * (USERS + 1) + user].addPlaces(from, to, segments.gpus(i));
    if (isRing(segments, i)) {
      rings[row].addPlaces(from, to, 1);
    }
  }

  /** True if the segment has rows of other servers too, and its job sends anything. */
  private boolean isRing(Segments segments, int i) {
    return jobs.model(segments.job(i)) >= 0
        && ((i > 0 && segments.sameSegment(i, i - 1))
            || (i + 1 < segments.size() && segments.sameSegment(i, i + 1)));
  }

  public Cells cells() {
    int classes = sizes.labels().size();
    byte[] busy = new byte[rows * bins];
    byte[] size = new byte[rows * bins];
    byte[] user = new byte[rows * bins];
    byte[] ring = new byte[rows * bins];
    List<String> names = new ArrayList<>();
    int[] gpus = new int[rows];
    for (int row = 0; row < rows; row++) {
      int from = row * serversPerRow;
      int to = Math.min(cluster.size(), from + serversPerRow);
      for (int s = from; s < to; s++) {
        gpus[row] += cluster.gpus(s);
      }
      String first = cluster.server(from).name();
      names.add(to - from == 1 ? first : first + " to " + cluster.server(to - 1).name());
      double[] total = most(bySize, row * classes, classes, size, row * bins);
      most(byUser, row * (USERS + 1), USERS + 1, user, row * bins);
      double[] crossing = rings[row].means();
      for (int bin = 0; bin < bins; bin++) {
        busy[row * bins + bin] = (byte) Math.min(255, Math.round(255 * total[bin] / gpus[row]));
        ring[row * bins + bin] =
            (byte) Math.min(255, Math.round(RING_STEPS * crossing[bin] / (to - from)));
      }
    }
    Base64.Encoder base64 = Base64.getEncoder();
    return new Cells(
        start,
        rings[0].width(),
        bins,
        names,
        gpus,
        base64.encodeToString(busy),
        base64.encodeToString(size),
        base64.encodeToString(user),
        base64.encodeToString(ring));
  }

  /** Puts the index of the largest of some bins into each cell, and returns their sums. */
  private double[] most(Bins[] all, int from, int count, byte[] cells, int at) {
    double[] total = new double[bins];
    double[] largest = new double[bins];
    byte[] own = new byte[bins];
    Arrays.fill(own, (byte) NONE);
    for (int i = 0; i < count; i++) {
      double[] means = all[from + i].means();
      for (int bin = 0; bin < bins; bin++) {
        total[bin] += means[bin];
        if (means[bin] > largest[bin]) {
          largest[bin] = means[bin];
          own[bin] = (byte) i;
        }
      }
    }
    System.arraycopy(own, 0, cells, at, bins);
    return total;
  }
}
