package io.ringmaster.calibration;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are reached by words before a command, as of ssh; or this machine, which plays them
 * all.
 *
 * @param launch the words, none for this machine; {@code {node}} is the number of a node from 1
 * @param host where processes on a node are reached, with the same
 */
public record LocalProcesses(String launch, String host) implements Nodes {
  public static final LocalProcesses HERE = new LocalProcesses("", "127.0.0.1");
  private static final long DELAY_MILLIS = 40;
  private static final long PATIENCE_SECONDS = 3;

  @Override
  public String address(int node) {
    return at(host, node);
  }

  private static String at(String text, int node) {
    return text.replace("{node}", String.valueOf(node + 1));
  }

  @Override
  public Probes start(List<String> command, int nodes, int each) throws IOException {
    Started started = new Started(new ArrayList<>());
    try {
      for (int number = 0; number < nodes * each; number++) {
        List<String> words = new ArrayList<>();
        if (!launch.isBlank()) {
          words.addAll(List.of(at(launch, number % nodes).strip().split("\\s+")));
        }
        words.addAll(command);
        words.add(String.valueOf(number));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        started.members.add(new Member(process, process.inputReader(), process.outputWriter()));
      }
      return started;
    } catch (IOException e) {
      started.close();
      throw e;
    }
  }

  private record Member(Process process, BufferedReader out, BufferedWriter in) {}

  private record Started(List<Member> members) implements Probes {
    @Override
    public void tell(String lines) throws IOException {
      for (Member member : members) {
        member.in.write(lines);
        member.in.flush();
      }
    }

    @Override
    public @Nullable String hear(int number) throws IOException {
      return members.get(number).out.readLine();
    }

    @Override
    public long delayMillis() {
      return DELAY_MILLIS;
    }

    @Override
    public void close() {
      members.forEach(Started::end);
      for (Member member : members) {
        try {
          if (!member.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            member.process.destroyForcibly();
          }
        } catch (InterruptedException e) {
          member.process.destroyForcibly();
          Thread.currentThread().interrupt();
        }
      }
    }

    private static void end(Member member) {
      try {
        member.in.close();
      } catch (IOException e) {
        // It is gone already, or is about to be.
        member.process.destroyForcibly();
      }
    }
  }
}
