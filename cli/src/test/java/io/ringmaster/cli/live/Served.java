package io.ringmaster.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.Cli;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A server inside the test, and commands that ask it. */
final class Served {
  private Served() {}

  static Serving start(Path data, String policy, int slots) {
    Serving serving =
        new Serving(
            ServeConfig.of(null, new ServeConfig.Given("127.0.0.1:0", data, policy, slots)));
    while (!serving.leads()) {
      Client.pause(10);
    }
    return serving;
  }

  static Cli.Ran run(Serving serving, String... args) {
    return Cli.run(
        Stream.concat(Stream.of(args[0], "--server", serving.url()), Stream.of(args).skip(1))
            .toArray(String[]::new));
  }

  static String good(Serving serving, String... args) {
    Cli.Ran ran = run(serving, args);
    assertThat(ran.status()).as(ran.err()).isZero();
    return ran.out();
  }
}
