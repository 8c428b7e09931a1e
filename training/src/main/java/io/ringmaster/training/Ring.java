package io.ringmaster.training;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One process's place in a ring of processes that add up arrays by TCP.
 *
 * <p>Ring all-reduce as in Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", JPDC 69(2), 2009, section 4: the array is cut into as many parts as
 * there are members. In each of the {@code size - 1} steps of the first half every member sends one
 * part to its successor and adds the one that comes from its predecessor to its own. Then each part
 * is complete at one member, and the second half passes the sums round. So each member sends {@code
 * 2 (size - 1) / size} of the array, however many members there are. A sum is computed at one place
 * only, so all members have the same bits.
 *
 * <p>For one thread at a time; {@link #close} may come from any.
 */
public final class Ring implements AutoCloseable {
  private static final int BUFFER_WORDS = 16 * 1024;

  private final int rank;
  private final int size;
  private final Duration patience;
  private final @Nullable Links links;

  private Ring(int rank, int size, Duration patience, @Nullable Links links) {
    this.rank = rank;
    this.size = size;
    this.patience = patience;
    this.links = links;
  }

  /**
   * Waits until all members have come. They may come in any order, seconds apart.
   *
   * @param masterHost where rank 0 is; it listens there at {@code masterPort}
   * @param id tells this ring from others, such as an older attempt's that meets at the same port
   * @param patience how long to wait for the others, here and later within each sum
   * @throws RingBroken if somebody does not come
   */
  public static Ring join(
      int rank, int size, String masterHost, int masterPort, String id, Duration patience) {
    if (size < 1 || rank < 0 || rank >= size) {
      throw new IllegalArgumentException("no rank " + rank + " in a ring of " + size);
    }
    if (id.getBytes(UTF_8).length > Frame.ID_BYTES_MAX) {
      throw new IllegalArgumentException("id of more than " + Frame.ID_BYTES_MAX + " bytes");
    }
    if (size == 1) {
      return new Ring(rank, size, patience, null);
    }
    Deadline deadline = Deadline.in(patience);
    Rendezvous.Neighbours neighbours =
        new Rendezvous(rank, size, masterHost, masterPort, id, deadline).meet();
    try {
      return new Ring(rank, size, patience, new Links(neighbours, (rank + size - 1) % size));
    } catch (IOException e) {
      throw new RingBroken("rank " + rank + " cannot join the ring: " + Rendezvous.reason(e));
    }
  }

  public int rank() {
    return rank;
  }

  public int size() {
    return size;
  }

  /** Over all sums so far, by this member. */
  public long bytesSent() {
    return links == null ? 0 : links.bytesSent;
  }

  /**
   * Replaces each number by its sum over all members, the same bits at all of them. All members
   * must call this equally often, with arrays of the same length.
   *
   * @throws RingBroken if a member is gone or silent; the array is then of no use
   */
  public void allReduce(float[] data) {
    if (links == null || data.length == 0) {
      return;
    }
    try {
      for (int step = 0; step < size - 1; step++) {
        int part = rank - step + size;
        pass(links, data, part % size, (part - 1) % size, /* isFirst= */ step == 0, true);
      }
      for (int step = 0; step < size - 1; step++) {
        int part = rank + 1 - step + size;
        pass(links, data, part % size, (part - 1) % size, /* isFirst= */ false, false);
      }
    } catch (IOException | ClosedSelectorException e) {
      close();
      throw new RingBroken("rank " + rank + " lost the ring: " + Rendezvous.reason(e));
    } catch (RingBroken e) {
      // The others must not wait for us: they learn it from the closed connections.
      close();
      throw e;
    }
  }

  private int start(float[] data, int part) {
    return (int) ((long) data.length * part / size);
  }

  private void pass(
      Links links, float[] data, int sentPart, int receivedPart, boolean isFirst, boolean isAdded)
      throws IOException {
    int toSend = start(data, sentPart);
    int sendEnd = start(data, sentPart + 1);
    int toReceive = start(data, receivedPart);
    int receiveEnd = start(data, receivedPart + 1);
    // The first part of a sum is led by the length of the whole, so that members who are out of
    // step notice it.
    boolean isLengthToSend = isFirst;
    boolean isLengthToReceive = isFirst;
    while (true) {
      if (links.isAllSent() && (toSend < sendEnd || isLengthToSend)) {
        int lead = isLengthToSend ? 1 : 0;
        int count = Math.min(sendEnd - toSend, BUFFER_WORDS - lead);
        links.fill(data, toSend, count, lead);
        isLengthToSend = false;
        toSend += count;
      }
      boolean hasMoved = links.send();
      int lead = isLengthToReceive ? 1 : 0;
      int expected = receiveEnd - toReceive + lead;
      if (expected > 0) {
        int words = links.receive(expected);
        if (words > 0) {
          hasMoved = true;
          if (isLengthToReceive) {
            links.checkLength(data.length, rank);
            isLengthToReceive = false;
          }
          links.take(data, toReceive, words, lead, isAdded);
          toReceive += words - lead;
          expected -= words;
        }
      }
      if (expected == 0 && toSend == sendEnd && links.isAllSent()) {
        return;
      }
      if (!hasMoved) {
        links.await(expected > 0, patience);
      }
    }
  }

  @Override
  public void close() {
    if (links != null) {
      links.close();
    }
  }

  /** The two connections of a member and what is under way in them. */
  private static final class Links implements AutoCloseable {
    private final SocketChannel next;
    private final SocketChannel previous;
    private final String nextName;
    private final String previousName;
    private final Selector selector;
    private final SelectionKey nextKey;
    private final SelectionKey previousKey;
    private final ByteBuffer out = direct();
    private final ByteBuffer in = direct();
    private final FloatBuffer outFloats = out.asFloatBuffer();
    private final FloatBuffer inFloats = in.asFloatBuffer();
    private final float[] scratch = new float[BUFFER_WORDS];
    private long bytesSent;

    Links(Rendezvous.Neighbours neighbours, int predecessor) throws IOException {
      next = neighbours.next();
      previous = neighbours.previous();
      nextName = neighbours.nextName();
      previousName = "rank " + predecessor;
      previous.setOption(StandardSocketOptions.TCP_NODELAY, true);
      selector = Selector.open();
      nextKey = next.register(selector, 0);
      previousKey = previous.register(selector, SelectionKey.OP_READ);
      out.limit(0);
    }

    private static ByteBuffer direct() {
      return ByteBuffer.allocateDirect(BUFFER_WORDS * Float.BYTES).order(LITTLE_ENDIAN);
    }

    boolean isAllSent() {
      return !out.hasRemaining();
    }

    void fill(float[] data, int from, int count, int lead) {
      out.clear().limit((count + lead) * Float.BYTES);
      if (lead == 1) {
        out.putInt(0, data.length);
      }
      outFloats.put(lead, data, from, count);
    }

    boolean send() throws IOException {
      if (!out.hasRemaining()) {
        return false;
      }
      int sent;
      try {
        sent = next.write(out);
      } catch (IOException e) {
        throw new IOException(nextName + " is gone: " + Rendezvous.reason(e), e);
      }
      bytesSent += sent;
      return sent > 0;
    }

    /**
     * Reads what is there, but nothing of the next step.
     *
     * @return whole words in the buffer, which the caller takes at once
     */
    int receive(int expectedWords) throws IOException {
      in.limit(Math.min(expectedWords, BUFFER_WORDS) * Float.BYTES);
      int read;
      try {
        read = previous.read(in);
      } catch (IOException e) {
        throw new IOException(previousName + " is gone: " + Rendezvous.reason(e), e);
      }
      if (read < 0) {
        throw new IOException(previousName + " is gone: it closed the connection");
      }
      return in.position() / Float.BYTES;
    }

    void checkLength(int length, int rank) {
      if (in.getInt(0) != length) {
        throw new RingBroken(
            previousName
                + " brought "
                + in.getInt(0)
                + " numbers to a sum, and rank "
                + rank
                + " brought "
                + length);
      }
    }

    void take(float[] data, int to, int words, int lead, boolean isAdded) {
      int count = words - lead;
      if (isAdded) {
        inFloats.get(lead, scratch, 0, count);
        for (int i = 0; i < count; i++) {
          data[to + i] += scratch[i];
        }
      } else {
        inFloats.get(lead, data, to, count);
      }
      in.flip().position(words * Float.BYTES);
      in.compact();
    }

    /** Sleeps until something can be sent or received. */
    void await(boolean isReceiving, Duration patience) throws IOException {
      boolean isSending = out.hasRemaining();
      interest(nextKey, isSending ? SelectionKey.OP_WRITE : 0);
      // What comes early, for the next step, must not keep us awake.
      interest(previousKey, isReceiving ? SelectionKey.OP_READ : 0);
      selector.selectedKeys().clear();
      if (selector.select(patience.toMillis()) > 0) {
        return;
      }
      if (!selector.isOpen()) {
        throw new IOException("it was left");
      }
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      String silent = isReceiving ? previousName + " sent nothing" : nextName + " took nothing";
      throw new IOException(silent + " for " + Deadline.text(patience));
    }

    private static void interest(SelectionKey key, int operations) throws IOException {
      if (!key.isValid()) {
        throw new IOException("the connection is closed");
      }
      if (key.interestOps() != operations) {
        key.interestOps(operations);
      }
    }

    @Override
    public void close() {
      try {
        next.close();
        previous.close();
        selector.close();
      } catch (IOException e) {
        // Nothing is lost: no member relies on what was not acknowledged by a sum.
        return;
      }
    }
  }
}
