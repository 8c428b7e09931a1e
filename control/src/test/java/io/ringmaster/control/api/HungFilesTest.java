package io.ringmaster.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job made its log a pipe to which nobody writes: to open it hangs for ever. */
class HungFilesTest {
  @TempDir Path folder;

  private Path pipe() throws IOException, InterruptedException {
    Path pipe = folder.resolve("log");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  @Test
  void aReaderThatHangsStallsNobodyElse() throws Exception {
    Limits limits =
        Limits.usual()
            .with(Limit.FILE_S, 0.3)
            .with(Limit.FILE_READS, 6)
            .with(Limit.USER_FILE_READS, 4);
    Path pipe = pipe();
    try (Stage stage = new Stage(limits)) {
      String root = stage.token("root", "admin", "");
      String eve = stage.token("eve", "user", root);
      String ann = stage.token("ann", "user", root);
      stage.submit("{\"command\":[\"finish\",\"hers\"],\"gpus\":1}", eve); // job 1
      stage.submit("{\"command\":[\"finish\",\"printed\"],\"gpus\":1}", ann); // job 2
      Stage.await(() -> stage.state(1).equals("succeeded") && stage.state(2).equals("succeeded"));
      Logs engine = stage.logs.get();
      stage.logs.set((attempt, rank, stream, from) ->
          attempt.job() == 1
              ? new FileInputStream(pipe.toFile())
              : engine.log(attempt, rank, stream, from));
      List<String> words = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String what = i % 2 == 0 ? "logs" : "progress";
        HttpResponse<String> reply = stage.send("GET", "/api/v1/jobs/1/" + what, "", eve);
        assertThat(reply.statusCode()).isEqualTo(504);
        words.add(reply.body());
      }
      assertThat(words.getFirst())
          .contains("the log of 1.1 could not be read within 0.3 s", "no plain file");
      HttpResponse<String> fifth = stage.send("GET", "/api/v1/jobs/1/logs", "", root);
      assertThat(fifth.statusCode()).as("no thread is left for her files").isEqualTo(503);
      assertThat(fifth.body()).contains("too many reads of files of eve");
      assertThat(stage.send("GET", "/api/v1/jobs/2/logs", "", ann).body()).isEqualTo("printed");
      assertThat(stage.get("/healthz").statusCode()).isEqualTo(200);
      // Somebody writes to it after all: those who waited end, and their places are free again.
      write(pipe);
      stage.logs.set(engine);
      Stage.await(() -> stage.send("GET", "/api/v1/jobs/1/logs", "", eve).body().equals("hers"));
    }
  }

  /** Those who wait for a writer go on. Does not wait itself, should nobody read any more. */
  private static void write(Path pipe) throws IOException {
    new RandomAccessFile(pipe.toFile(), "rw").close();
  }

  /** Every thread that carries virtual ones is stuck, as by a system call that does not return. */
  @Test
  void healthIsToldWhileAllCarriersHang() throws Exception {
    Path pipe = pipe();
    try (Stage stage = new Stage()) {
      List<CompletableFuture<Void>> hung = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        hung.add(ended);
        Thread.ofVirtual()
            .start(() -> {
              try {
                new FileInputStream(pipe.toFile()).close();
              } catch (IOException e) {
                throw new AssertionError(e);
              } finally {
                ended.complete(null);
              }
            });
      }
      try {
        for (int i = 0; i < 20; i++) {
          String reply =
              RawSocket.ask(
                  stage.server.port(),
                  RawSocket.head("GET /readyz HTTP/1.1", "Host: localhost", "Connection: close"));
          assertThat(reply).startsWith("HTTP/1.1 200 ").contains("leader");
        }
      } finally {
        while (hung.stream().anyMatch(each -> !each.isDone())) {
          write(pipe);
        }
      }
      CompletableFuture.allOf(hung.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
    }
  }
}
