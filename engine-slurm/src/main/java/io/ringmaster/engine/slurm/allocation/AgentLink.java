package io.ringmaster.engine.slurm.allocation;

import io.ringmaster.control.job.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's end of the connection to the agent of a node, made again whenever it breaks. */
final class AgentLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentLink.class);
  private static final int SILENCE_MILLIS = 10_000;
  private static final int ANSWER_MILLIS = 5_000;
  private static final int LEAST_PAUSE_MILLIS = 50;
  private static final int MOST_PAUSE_MILLIS = 1_000;

  /** Who hears what an agent tells. Must not wait for anything. */
  interface Listener {
    /**
     * An agent told all.
     *
     * @param askedNanos when it was asked
     */
    void observed(AgentLink link, Message told, long askedNanos);

    void told(AgentLink link, Status status);

    /** It cannot be reached; it is tried again and again. */
    void lost(AgentLink link);
  }

  /** An agent that did not do what it was asked, and says why: nothing happened. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1;

    Refused(String why) {
      super(why);
    }
  }

  private final String name;
  private final Places places;
  private final byte[] key;
  private final Listener listener;
  private final LongPredicate isUsed;
  private final Map<Long, CompletableFuture<Message>> asked = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final Thread thread;
  private volatile @Nullable Channel channel;
  private volatile @Nullable AgentRecord agent;
  private volatile boolean ready;
  private volatile boolean closed;
  private volatile long heardNanos = System.nanoTime();
  private String lastBeat = "";

  /**
   * Begins to look for the agent.
   *
   * @param isUsed whether an allocation is used: agents of others are not called
   */
  AgentLink(String name, Places places, byte[] key, Listener listener, LongPredicate isUsed) {
    this.name = name;
    this.places = places;
    this.key = key.clone();
    this.listener = listener;
    this.isUsed = isUsed;
    // No virtual thread: it must be where the one is that opened the engine.
    thread = Thread.ofPlatform().name("agent-" + name).daemon().unstarted(this::run);
    thread.start();
  }

  String name() {
    return name;
  }

  /** The agent that was last there; null: none ever was. */
  @Nullable AgentRecord agent() {
    return agent;
  }

  /** Whether the agent has told what it has, and can be asked. */
  boolean isReady() {
    return ready;
  }

  /** How long nothing was heard of it, neither here nor in the shared folder. */
  double silentSeconds() {
    if (ready) {
      return 0;
    }
    try {
      Path file = places.beat(name);
      String beat = Files.exists(file) ? Files.readString(file) : "";
      if (!beat.equals(lastBeat)) {
        lastBeat = beat;
        heardNanos = System.nanoTime();
      }
    } catch (IOException e) {
      LOG.debug("{}", e.toString());
    }
    return (System.nanoTime() - heardNanos) / 1e9;
  }

  private void run() {
    long pause = LEAST_PAUSE_MILLIS;
    while (!closed) {
      try {
        AgentRecord found = AgentRecord.read(places.agent(name));
        agent = found;
        if (found != null && isUsed.test(found.job())) {
          converse(found);
          pause = LEAST_PAUSE_MILLIS;
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("agent of {}: {}", name, e.toString());
      }
      if (ready) {
        lose();
        pause = LEAST_PAUSE_MILLIS;
      }
      if (!sleep(pause)) {
        return;
      }
      pause = Math.min(MOST_PAUSE_MILLIS, pause * 2);
    }
  }

  private void converse(AgentRecord found) throws IOException {
    try (Channel open =
        Channel.connect(new InetSocketAddress(found.address(), found.port()), key)) {
      open.patience(SILENCE_MILLIS);
      channel = open;
      observe();
      while (!closed) {
        Message told = open.receive();
        heardNanos = System.nanoTime();
        if (told.has("status")) {
          listener.told(this, told.part("status").status());
        } else {
          CompletableFuture<Message> waiting = asked.remove(told.whole("re"));
          if (waiting != null) {
            waiting.complete(told);
          }
        }
      }
    }
  }

  private void lose() {
    ready = false;
    channel = null;
    asked.forEach((id, waiting) -> {
      asked.remove(id);
      waiting.completeExceptionally(new IOException("the agent of " + name + " is gone"));
    });
    if (!closed) {
      listener.lost(this);
    }
  }

  /** Asks for everything; the answer is told to the listener. */
  void observe() {
    long now = System.nanoTime();
    var _ =
        ask(Message.of("do", "observe"))
            .thenAccept(told -> {
              listener.observed(this, told, now);
              ready = channel != null;
            })
            .exceptionally(e -> {
              LOG.debug("agent of {}: {}", name, e.toString());
              return null;
            });
  }

  /** Asks for something, and does not wait. */
  CompletableFuture<Message> ask(Message message) {
    CompletableFuture<Message> answer = new CompletableFuture<>();
    Channel open = channel;
    if (open == null) {
      answer.completeExceptionally(
          new IOException("the agent of %s does not answer".formatted(name)));
      return answer;
    }
    long id = lastId.incrementAndGet();
    asked.put(id, answer);
    try {
      open.send(message.with("id", id));
    } catch (IOException e) {
      asked.remove(id);
      answer.completeExceptionally(e);
    }
    return answer;
  }

  /** What was answered, within a time. */
  Message await(CompletableFuture<Message> answer) throws IOException {
    try {
      Message told = answer.get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
      if (told.has("error")) {
        throw new Refused("node %s: %s".formatted(name, told.text("error")));
      }
      return told;
    } catch (TimeoutException e) {
      throw new IOException(
          "the agent of %s did not answer within %d s".formatted(name, ANSWER_MILLIS / 1000), e);
    } catch (ExecutionException e) {
      throw new IOException("node %s: %s".formatted(name, e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static boolean sleep(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    Channel open = channel;
    try {
      if (open != null) {
        open.close();
      }
      thread.join(ANSWER_MILLIS);
    } catch (IOException e) {
      LOG.debug("{}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
