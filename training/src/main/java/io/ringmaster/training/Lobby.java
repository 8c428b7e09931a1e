package io.ringmaster.training;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Where a member lets others in. Who says nothing keeps nobody waiting, and who does not speak our
 * language is sent away.
 */
final class Lobby implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final int RETRY_MILLIS = 100;

  /** Somebody who said a whole frame. The connection is non-blocking and now the caller's. */
  record Guest(Frame frame, SocketChannel channel) {}

  private final ServerSocketChannel door;
  private final Selector selector;

  private Lobby(ServerSocketChannel door, Selector selector) {
    this.door = door;
    this.selector = selector;
  }

  /** Waits for a port that an older attempt still holds. */
  static Lobby open(InetSocketAddress address, Deadline deadline) throws IOException {
    while (true) {
      ServerSocketChannel door = ServerSocketChannel.open();
      try {
        // Connections of an older attempt that rest in TIME_WAIT must not keep the port.
        door.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        door.bind(address, BACKLOG);
        door.configureBlocking(false);
        Selector selector = Selector.open();
        door.register(selector, SelectionKey.OP_ACCEPT);
        return new Lobby(door, selector);
      } catch (BindException e) {
        door.close();
        if (deadline.isOver()) {
          throw e;
        }
        deadline.sleep(RETRY_MILLIS);
      } catch (IOException e) {
        door.close();
        throw e;
      }
    }
  }

  int port() throws IOException {
    return ((InetSocketAddress) door.getLocalAddress()).getPort();
  }

  /** The next one who says a frame that is not a stranger's; null when the time is over. */
  @Nullable Guest await(Deadline deadline) throws IOException {
    while (true) {
      Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
      while (ready.hasNext()) {
        SelectionKey key = ready.next();
        ready.remove();
        if (key.isAcceptable()) {
          letIn();
        } else if (key.isReadable()) {
          Guest guest = listen(key);
          if (guest != null) {
            return guest;
          }
        }
      }
      if (deadline.isOver()) {
        return null;
      }
      deadline.select(selector);
    }
  }

  private void letIn() throws IOException {
    SocketChannel visitor = door.accept();
    if (visitor != null) {
      visitor.configureBlocking(false);
      visitor.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(Frame.BYTES_MAX));
    }
  }

  private static @Nullable Guest listen(SelectionKey key) throws IOException {
    SocketChannel visitor = (SocketChannel) key.channel();
    ByteBuffer soFar = (ByteBuffer) key.attachment();
    boolean isGone;
    try {
      int read;
      do {
        soFar.limit(Frame.bytesWanted(soFar));
        read = visitor.read(soFar);
      } while (read > 0);
      isGone = read < 0;
    } catch (IOException e) {
      isGone = true;
    }
    Frame frame = Frame.parse(soFar);
    if (frame != null && frame.kind() != Frame.Kind.STRANGER) {
      key.cancel();
      return new Guest(frame, visitor);
    }
    if (isGone || frame != null) {
      visitor.close();
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      if (key.isValid()) {
        key.channel().close();
      }
    }
    // Frees the connections whose keys were cancelled: they may join another selector now.
    selector.close();
  }
}
