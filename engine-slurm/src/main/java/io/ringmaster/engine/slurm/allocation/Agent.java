package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.engine.Node;
import io.ringmaster.control.engine.Snapshot;
import io.ringmaster.control.job.AttemptId;
import io.ringmaster.control.job.Status;
import io.ringmaster.engine.local.DataFolder;
import io.ringmaster.engine.local.LocalEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server has on a node: starts, stops and watches the processes there. It is a local engine
 * that is asked over connections, and goes on when nobody asks.
 *
 * <p>It may be cut off from everybody, and somebody may have to decide that what runs here is dead.
 * So there is a lease: an agent that could neither write to the folder that all share nor heard
 * from a server for so long kills what it runs. The decision record 0055 says why that is enough.
 */
final class Agent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
  private static final int MOST_CONNECTIONS = 16;

  /** Several times within a lease. */
  private static final int BEATS = 6;

  private final LocalEngine engine;
  private final byte[] key;
  private final Path beat;
  private final long leaseNanos;
  private final ServerSocket door;
  private final Set<Channel> callers = ConcurrentHashMap.newKeySet();

  /** With those that have not shown yet that they know the key. */
  private final AtomicInteger connections = new AtomicInteger();

  private volatile long renewedNanos = System.nanoTime();
  private volatile boolean closed;

  /** Begins to listen. */
  Agent(LocalEngine engine, byte[] key, Path beat, InetAddress address, double leaseSeconds)
      throws IOException {
    this.engine = engine;
    this.key = key.clone();
    this.beat = beat;
    this.leaseNanos = (long) (leaseSeconds * 1e9);
    door = new ServerSocket(0, MOST_CONNECTIONS, address);
    engine.listen(this::push);
    thread("agent-door", this::listen);
    thread("agent-beat", this::beat);
    thread("agent-lease", this::guard);
  }

  private static void thread(String name, Runnable work) {
    Thread.ofPlatform().name(name).daemon().start(work);
  }

  int port() {
    return door.getLocalPort();
  }

  private void push(Status status) {
    for (Channel caller : callers) {
      try {
        caller.send(Message.of("status", Message.of(status)));
      } catch (IOException e) {
        LOG.debug("a caller is gone: {}", e.toString());
      }
    }
  }

  private void listen() {
    while (!closed) {
      try {
        Socket caller = door.accept();
        if (connections.incrementAndGet() > MOST_CONNECTIONS) {
          connections.decrementAndGet();
          caller.close();
        } else {
          thread("agent-caller", () -> answer(caller));
        }
      } catch (IOException e) {
        if (!closed) {
          LOG.warn("cannot be called: {}", e.toString());
          pause(1000);
        }
      }
    }
  }

  private void answer(Socket socket) {
    try (socket;
        Channel caller = Channel.accepted(socket, key)) {
      // A caller that is silent for so long is gone: a server asks every other second.
      caller.patience((int) TimeUnit.NANOSECONDS.toMillis(leaseNanos));
      callers.add(caller);
      try {
        while (!closed) {
          Message asked = caller.receive();
          renewedNanos = System.nanoTime();
          caller.send(answer(asked).with("re", asked.whole("id")));
        }
      } finally {
        callers.remove(caller);
      }
    } catch (IOException e) {
      LOG.debug("a caller is gone: {}", e.toString());
    } finally {
      connections.decrementAndGet();
    }
  }

  private Message answer(Message asked) {
    try {
      switch (asked.text("do")) {
        case "observe" -> {
          return observed();
        }
        case "launch" -> {
          engine.launch(asked.whole("order"), asked.launch(), asked.launchedPart());
          return Message.of("port", engine.port(asked.launch().attempt()));
        }
        case "stop" -> engine.stop(attempt(asked), asked.number("grace"));
        case "forget" -> engine.forget(asked.whole("order"), attempt(asked));
        default -> throw new IOException("'%s' is nothing to do".formatted(asked.text("do")));
      }
      return Message.of();
    } catch (IOException | RuntimeException e) {
      return Message.of("error", String.valueOf(e.getMessage()));
    }
  }

  private static AttemptId attempt(Message asked) throws IOException {
    return Message.attempt(asked.text("attempt"));
  }

  private Message observed() {
    Snapshot snapshot = engine.observe();
    Node node = snapshot.nodes().getFirst();
    return Message.of(
        "attempts",
        snapshot.attempts().stream().map(Message::of).toList(),
        "closed",
        node.up() ? "" : node.whyClosed().isEmpty() ? "it is closed" : node.whyClosed());
  }

  /** Says in the shared folder that it lives. A write that hangs renews nothing. */
  private void beat() {
    long count = 0;
    String life = Long.toHexString(System.nanoTime());
    while (!closed) {
      try {
        long before = System.nanoTime();
        DataFolder.put(beat, life + " " + count++ + "\n");
        renewedNanos = Math.max(renewedNanos, before);
      } catch (IOException e) {
        LOG.warn("cannot write to the shared folder: {}", e.toString());
      }
      pause(TimeUnit.NANOSECONDS.toMillis(leaseNanos) / BEATS);
    }
  }

  private void guard() {
    while (!closed) {
      pause(TimeUnit.NANOSECONDS.toMillis(leaseNanos) / BEATS);
      if (System.nanoTime() - renewedNanos > leaseNanos) {
        fence();
      }
    }
  }

  /** Nobody can tell any more whether what runs here is still wanted. */
  private void fence() {
    for (Status status : List.copyOf(engine.observe().attempts())) {
      if (!status.phase().isEnd()) {
        LOG.warn(
            "attempt {} is killed: for {} s this node could neither write to the shared folder nor"
                + " heard from a server",
            status.attempt(),
            leaseNanos / 1_000_000_000L);
        try {
          engine.stop(status.attempt(), 0);
        } catch (IOException | RuntimeException e) {
          LOG.warn("attempt {} cannot be stopped", status.attempt(), e);
        }
      }
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    door.close();
    for (Channel caller : callers) {
      caller.close();
    }
    engine.close();
  }
}
