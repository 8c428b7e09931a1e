package io.ringmaster.training;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How the members of a ring find each other. Each listens at a port of its own and tells rank 0,
 * the only one whose address all know. When all have come, rank 0 tells each where its successor
 * is. Each then calls its successor and is called by its predecessor.
 */
final class Rendezvous {
  private static final int RETRY_MILLIS = 50;

  /** Both ends of a member's place: blocking no more, and ready to be used. */
  record Neighbours(SocketChannel next, String nextName, SocketChannel previous) {}

  private final int rank;
  private final int size;
  private final String masterHost;
  private final int masterPort;
  private final String id;
  private final Deadline deadline;

  Rendezvous(int rank, int size, String masterHost, int masterPort, String id, Deadline deadline) {
    this.rank = rank;
    this.size = size;
    this.masterHost = masterHost;
    this.masterPort = masterPort;
    this.id = id;
    this.deadline = deadline;
  }

  Neighbours meet() {
    try (Lobby lobby = openLobby()) {
      Frame successor = rank == 0 ? gather(lobby) : ask(lobby.port());
      String host = successor.rank() == 0 ? masterHost : successor.text();
      String name = "rank " + successor.rank() + " at " + host + ":" + successor.port();
      SocketChannel next = call(host, successor.port(), name);
      try {
        return new Neighbours(next, name, awaitPredecessor(lobby));
      } catch (IOException | RingBroken e) {
        next.close();
        throw e;
      }
    } catch (IOException e) {
      throw new RingBroken("rank " + rank + " cannot join the ring: " + reason(e));
    }
  }

  private Lobby openLobby() throws IOException {
    InetAddress master = InetAddress.getByName(masterHost);
    // What is on this machine only need not be open to others. The master's name may also be one
    // that its own machine does not listen at, so else every address will do.
    InetAddress own = master.isLoopbackAddress() ? master : null;
    int port = rank == 0 ? masterPort : 0;
    try {
      return Lobby.open(new InetSocketAddress(own, port), deadline);
    } catch (IOException e) {
      throw new RingBroken(
          "rank " + rank + " cannot listen at " + masterHost + ":" + port + ": " + reason(e));
    }
  }

  /** Rank 0's part. */
  private Frame gather(Lobby lobby) throws IOException {
    Lobby.@Nullable Guest[] guests = new Lobby.@Nullable Guest[size];
    try {
      int missing = size - 1;
      while (missing > 0) {
        Lobby.Guest guest = lobby.await(deadline);
        if (guest == null) {
          String failure =
              missing(guests)
                  + " did not come to rank 0 at "
                  + masterAddress()
                  + " within "
                  + deadline.text();
          tellAll(guests, failure);
          throw new RingBroken(failure);
        }
        int other = guest.frame().rank();
        if (!guest.frame().is(Frame.Kind.MEET, size, id) || other == 0) {
          guest.channel().close();
          continue;
        }
        Lobby.Guest older = guests[other];
        if (older == null) {
          missing--;
        } else {
          older.channel().close();
        }
        guests[other] = guest;
      }
      for (int other = 1; other < size; other++) {
        tell(guests[other], successor(guests, other));
      }
      return successor(guests, 0);
    } finally {
      for (Lobby.Guest guest : guests) {
        if (guest != null) {
          guest.channel().close();
        }
      }
    }
  }

  private Frame successor(Lobby.@Nullable Guest[] guests, int ofRank) throws IOException {
    int other = (ofRank + 1) % size;
    Lobby.Guest guest = guests[other];
    if (guest == null) {
      return new Frame(Frame.Kind.ANSWER, 0, size, masterPort, id, "");
    }
    InetSocketAddress from = (InetSocketAddress) guest.channel().getRemoteAddress();
    String host = from.getAddress().getHostAddress();
    return new Frame(Frame.Kind.ANSWER, other, size, guest.frame().port(), id, host);
  }

  private void tellAll(Lobby.@Nullable Guest[] guests, String failure) {
    for (Lobby.Guest guest : guests) {
      tell(guest, new Frame(Frame.Kind.FAILED, 0, size, 0, id, failure));
    }
  }

  /** A few bytes always fit into the socket. Who is gone will be missed by its predecessor. */
  private static void tell(Lobby.@Nullable Guest guest, Frame frame) {
    if (guest != null) {
      try {
        guest.channel().write(frame.bytes());
      } catch (IOException e) {
        return;
      }
    }
  }

  private static String missing(Lobby.@Nullable Guest[] guests) {
    StringBuilder missing = new StringBuilder();
    for (int other = 1; other < guests.length; other++) {
      if (guests[other] == null) {
        missing.append(missing.isEmpty() ? "" : ", ").append(other);
      }
    }
    return (missing.indexOf(",") < 0 ? "rank " : "ranks ") + missing;
  }

  /** Every other rank's part. An older attempt's rank 0 may still hold the port: ask again. */
  private Frame ask(int ownPort) throws IOException {
    Frame question = new Frame(Frame.Kind.MEET, rank, size, ownPort, id, "");
    while (true) {
      String failure;
      try (SocketChannel master = connect(masterHost, masterPort)) {
        write(master, question);
        Frame answer = read(master);
        if (answer.is(Frame.Kind.FAILED, size, id)) {
          throw new RingBroken(answer.text());
        }
        if (answer.is(Frame.Kind.ANSWER, size, id)) {
          return answer;
        }
        failure = "somebody else answered";
      } catch (IOException e) {
        failure = reason(e);
      }
      if (deadline.isOver()) {
        throw new RingBroken(
            "rank "
                + rank
                + " was not let into the ring by rank 0 at "
                + masterAddress()
                + " within "
                + deadline.text()
                + ": "
                + failure);
      }
      deadline.sleep(RETRY_MILLIS);
    }
  }

  private SocketChannel call(String host, int port, String name) {
    try {
      SocketChannel next = connect(host, port);
      try {
        write(next, new Frame(Frame.Kind.RING, rank, size, 0, id, ""));
        next.configureBlocking(false);
        return next;
      } catch (IOException e) {
        next.close();
        throw e;
      }
    } catch (IOException e) {
      throw new RingBroken("rank " + rank + " cannot reach " + name + ": " + reason(e));
    }
  }

  private SocketChannel awaitPredecessor(Lobby lobby) throws IOException {
    int predecessor = (rank + size - 1) % size;
    while (true) {
      Lobby.Guest guest = lobby.await(deadline);
      if (guest == null) {
        throw new RingBroken(
            "rank " + predecessor + " did not call rank " + rank + " within " + deadline.text());
      }
      if (guest.frame().is(Frame.Kind.RING, size, id) && guest.frame().rank() == predecessor) {
        return guest.channel();
      }
      guest.channel().close();
    }
  }

  private SocketChannel connect(String host, int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(new InetSocketAddress(host, port), deadline.millisLeft());
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e instanceof IOException failure ? failure : new IOException(reason(e));
    }
  }

  private static void write(SocketChannel channel, Frame frame) throws IOException {
    ByteBuffer bytes = frame.bytes();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private Frame read(SocketChannel channel) throws IOException {
    // The adaptor's stream keeps to a timeout; the channel itself would wait for ever.
    InputStream stream = channel.socket().getInputStream();
    byte[] soFar = new byte[Frame.BYTES_MAX];
    int length = 0;
    while (length < soFar.length) {
      channel.socket().setSoTimeout(deadline.millisLeft());
      int more = stream.read(soFar, length, soFar.length - length);
      if (more < 0) {
        break;
      }
      length += more;
      ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(soFar, length)).position(length);
      Frame frame = Frame.parse(bytes);
      if (frame != null) {
        return frame;
      }
    }
    throw new EOFException("it closed the connection");
  }

  private String masterAddress() {
    return masterHost + ":" + masterPort;
  }

  static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
