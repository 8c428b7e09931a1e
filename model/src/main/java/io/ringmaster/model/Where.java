package io.ringmaster.model;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * On which servers a job may be, and how it is cut.
 *
 * @param kinds of {@link Server#gpu}; empty: any
 * @param mixes whether its workers may have GPUs of several kinds at once
 * @param perServer so many workers on each of its servers, no more and no fewer; 0: any number
 * @param piece its workers come in pieces of so many, each whole on one server; 1: each by itself
 */
public record Where(Set<String> kinds, boolean mixes, int perServer, int piece) {
  /** Anywhere, in any parts. */
  public static final Where ANY = new Where(Set.of(), 0);

  /** On servers of any kind, but of one at a time. */
  public static final Where ONE_KIND = new Where(Set.of(), false, 0);

  private static final String OR = "|";
  private static final String AND = "+";

  public Where {
    kinds = Set.copyOf(kinds);
    mixes |= kinds.size() == 1;
  }

  /** Workers that go each by itself. */
  public Where(Set<String> kinds, boolean mixes, int perServer) {
    this(kinds, mixes, perServer, 1);
  }

  /** Servers of these kinds alike. */
  public Where(Set<String> kinds, int perServer) {
    this(kinds, true, perServer);
  }

  /**
   * Reads such as {@code a100|h100}, one of them for all workers, or {@code a100+h100}, any of them
   * for each.
   */
  public static Where parse(String text) {
    boolean mixes = text.contains(AND);
    Set<String> kinds = new TreeSet<>();
    for (String part : text.split(mixes ? "\\+" : "\\|", -1)) {
      if (part.isBlank() || part.contains(OR) || !kinds.add(part.strip())) {
        throw new IllegalArgumentException(
            "expected each kind once, as in a100|h100 (one of them), or a100+h100 if workers of"
                + " both may go together");
      }
    }
    return new Where(kinds, mixes, 0);
  }

  /** As {@link #parse} reads it; empty if it names no kind. */
  public String text() {
    return String.join(mixes ? AND : OR, new TreeSet<>(kinds));
  }

  /** By hand: a record's own way costs milliseconds at the first use, and is slower later. */
  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof Where that
            && mixes == that.mixes
            && perServer == that.perServer
            && piece == that.piece
            && kinds.equals(that.kinds));
  }

  @Override
  public int hashCode() {
    return Objects.hash(kinds, mixes, perServer, piece);
  }

  /** Whether it is {@link #ANY}. */
  public boolean isAny() {
    return mixes && perServer == 0 && piece == 1 && kinds.isEmpty();
  }

  /** The same on one kind alone. */
  public Where only(String kind) {
    return new Where(Set.of(kind), true, perServer, piece);
  }

  /** Whether a server is of a kind that will do. */
  public boolean allows(Server server) {
    return allows(server.gpu());
  }

  public boolean allows(String kind) {
    return kinds.isEmpty() || kinds.contains(kind);
  }

  /** Workers that go where there is room for so many. */
  int of(Server server, int workers) {
    if (!allows(server)) {
      return 0;
    }
    return perServer == 0 ? workers - workers % piece : workers >= perServer ? perServer : 0;
  }
}
