package io.ringmaster.control.api;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.io.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The open connections, in all and of each address. Where there are too many, the one that has
 * waited longest without a request under way is closed for the new one, of the address that has the
 * most: whoever only holds connections loses them to those who use theirs. If all of them are at
 * work, the new one is a spare: good for asking how the server is, and for nothing else.
 *
 * <p>Called by the threads that serve all connections, so nothing here may wait.
 */
final class Connections implements Connection.Listener {
  /** Spare ones; the oldest goes when another comes. */
  private static final int MOST_SPARE = 64;

  private final int most;
  private final int mostOfAddress;
  private final double idleSeconds;

  /** Those that wait longest come first. */
  private final Map<Connection, Held> held = new LinkedHashMap<>();

  private final Map<String, Integer> byAddress = new HashMap<>();
  private final Deque<Connection> spare = new ArrayDeque<>();

  /**
   * One of them.
   *
   * @param sinceNanos it waits for a request; or has one under way
   */
  private record Held(String address, boolean busy, long sinceNanos) {}

  Connections(Limits limits) {
    most = limits.whole(Limit.CONNECTIONS);
    mostOfAddress = limits.whole(Limit.CONNECTIONS_PER_ADDRESS);
    idleSeconds = limits.number(Limit.IDLE_S);
  }

  @Override
  public void onOpened(Connection connection) {
    close(enter(connection));
  }

  /** Takes one in; returns one that is to be closed for it. */
  private synchronized @Nullable Connection enter(Connection connection) {
    String address = address(connection);
    @Nullable Connection idle = null;
    if (byAddress.getOrDefault(address, 0) >= mostOfAddress) {
      idle = longestIdle(address);
    } else if (held.size() < most) {
      hold(connection, address);
      return null;
    } else {
      idle =
          longestIdle(Collections.max(byAddress.entrySet(), Map.Entry.comparingByValue()).getKey());
    }
    if (idle != null) {
      leave(idle);
      hold(connection, address);
      return idle;
    }
    spare.addLast(connection);
    return spare.size() > MOST_SPARE ? spare.pollFirst() : null;
  }

  private void hold(Connection connection, String address) {
    held.put(connection, new Held(address, false, System.nanoTime()));
    byAddress.merge(address, 1, Integer::sum);
  }

  private @Nullable Connection longestIdle(String address) {
    for (Map.Entry<Connection, Held> each : held.entrySet()) {
      if (!each.getValue().busy() && each.getValue().address().equals(address)) {
        return each.getKey();
      }
    }
    return null;
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    leave(connection);
  }

  private void leave(Connection connection) {
    Held gone = held.remove(connection);
    if (gone == null) {
      spare.remove(connection);
    } else {
      byAddress.computeIfPresent(gone.address(), (_, n) -> n == 1 ? null : n - 1);
    }
  }

  /** A request begins. False: the connection is a spare one. */
  synchronized boolean begin(Connection connection) {
    return move(connection, true);
  }

  synchronized void end(Connection connection) {
    move(connection, false);
  }

  private boolean move(Connection connection, boolean busy) {
    Held known = held.remove(connection);
    if (known == null) {
      return false;
    }
    held.put(connection, new Held(known.address(), busy, System.nanoTime()));
    return true;
  }

  /**
   * Closes those that wait too long. A few bytes of a request now and then do not count: only a
   * whole head does.
   */
  void sweep() {
    List<Connection> late = new ArrayList<>();
    synchronized (this) {
      long now = System.nanoTime();
      for (Map.Entry<Connection, Held> each : held.entrySet()) {
        if (now - each.getValue().sinceNanos() < idleSeconds * 1e9) {
          break;
        }
        if (!each.getValue().busy()) {
          late.add(each.getKey());
        }
      }
    }
    late.forEach(Connections::close);
  }

  private static void close(@Nullable Connection connection) {
    if (connection != null) {
      connection.getEndPoint().close();
    }
  }

  private static String address(Connection connection) {
    return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress inet
            && inet.getAddress() != null
        ? inet.getAddress().getHostAddress()
        : "";
  }
}
