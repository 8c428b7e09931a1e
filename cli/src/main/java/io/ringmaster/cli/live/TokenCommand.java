package io.ringmaster.cli.live;

import io.ringmaster.cli.terminal.Next;
import io.ringmaster.cli.terminal.Prose;
import io.ringmaster.cli.terminal.Table;
import io.ringmaster.control.api.TokenSecrets;
import io.ringmaster.control.store.Store;
import io.ringmaster.control.store.Token;
import io.ringmaster.model.BadInput;
import io.ringmaster.workload.Units;
import io.ringmaster.workload.json.Json;
import io.ringmaster.workload.json.RecordFields.Inline;
import io.ringmaster.workload.json.RecordFields.Named;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ringmaster token}: who may ask the server. */
@Command(
    name = "token",
    description = "Lists, adds and removes the tokens that let people ask the server.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "(add | list | remove)",
    subcommands = {TokenCommand.Add.class, TokenCommand.Listing.class, TokenCommand.Remove.class})
final class TokenCommand implements Runnable {
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected add, list or remove");
  }

  /** A new one. The secret is printed once, on standard output. */
  @Command(
      name = "add",
      description =
          "Makes a token and prints it; it is shown only once. With --data or --config it is"
              + " written into the server's store, without asking the server.",
      mixinStandardHelpOptions = true)
  static final class Add implements Callable<Integer> {
    @Mixin LiveOptions live = new LiveOptions();

    @Parameters(paramLabel = "USER", description = "whose jobs are submitted with it")
    String user = "";

    @Option(names = "--admin", description = "may see and do everything")
    boolean admin;

    @Option(
        names = "--expires",
        paramLabel = "TIME",
        description = "for how long it is good, such as 30d (default: for ever)")
    @Nullable String expires;

    @Option(
        names = "--save",
        arity = "0..1",
        fallbackValue = "",
        paramLabel = "FILE",
        description =
            "write it to a file that only you can read, and do not print it (default:"
                + " ~/.config/ringmaster/token)")
    @Nullable String save;

    @Option(
        names = "--if-none",
        description = "do nothing if there is any token; with --data or --config")
    boolean ifNone;

    @Mixin FolderOptions folder = new FolderOptions();

    @Spec CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
      if (ifNone && hasAny()) {
        System.err.println("There are tokens already; none was made.");
        return 0;
      }
      Path file = save == null ? null : save.isEmpty() ? TokenFile.usual() : Path.of(save);
      if (file != null) {
        TokenFile.checkFree(file);
      }
      Made made = folder.isNamed() ? offline() : asked();
      if (file != null) {
        TokenFile.write(file, made.secret);
      }
      if (live.json.given) {
        System.out.print(Json.document(file == null ? made : made.shown));
      } else if (file != null) {
        System.out.printf("Token %d of %s is in %s.%n", made.shown.id, user, file);
        System.err.println(
            file.equals(TokenFile.usual())
                ? "Next: ringmaster jobs; it is used from now on"
                : "Next: RINGMASTER_TOKEN=$(cat %s) ringmaster jobs".formatted(Next.path(file)));
      } else {
        System.out.println(made.secret);
        System.err.print(
            Prose.wrapped(
                ("Token %d of %s. Keep it: it is not shown again. It goes into RINGMASTER_TOKEN or"
                        + " ~/.config/ringmaster/token.")
                    .formatted(made.shown.id, user)));
      }
      return 0;
    }

    /** For what starts servers, again and again: a pod. */
    private boolean hasAny() {
      if (!folder.isNamed()) {
        throw new ParameterException(
            spec.commandLine(), "--if-none looks into the store: name it with --data or --config");
      }
      try (Store store = Store.open(folder.config().store())) {
        return !store.tokens().isEmpty();
      }
    }

    private record Wanted(String user, String role, Optional<Double> expiresInSeconds) {}

    /** As the server says it, whoever made it. */
    private record Made(@Inline Shown shown, @Named("token") String secret) {}

    private record Shown(
        long id, String user, String role, double createdSeconds, double expiresSeconds) {}

    private Made asked() {
      Wanted wanted =
          new Wanted(user, role().text(), Optional.ofNullable(expires).map(Add::seconds));
      Fields answer = live.client().once("token add " + user, "POST", "/tokens", wanted);
      Shown shown =
          new Shown(
              answer.whole("id"),
              answer.text("user"),
              answer.text("role"),
              answer.number("created_s"),
              answer.number("expires_s"));
      return new Made(shown, answer.text("token"));
    }

    /** Whoever can write the store needs no token: the way in when no admin has a good one. */
    private Made offline() {
      if (!Token.USER.matcher(user).matches()) {
        throw new BadInput("'%s' is no name of a user".formatted(user));
      }
      ServeConfig config = folder.config();
      double now = Moments.now();
      double until = expires == null ? Double.NaN : now + seconds(expires);
      String secret = TokenSecrets.make();
      try (Store store = Store.open(config.store())) {
        if (!admin && store.tokens().isEmpty()) {
          throw new BadInput("the first token must be an admin's; add --admin");
        }
        Token token = store.addToken(user, role(), TokenSecrets.hash(secret), now, until);
        Shown shown =
            new Shown(
                token.id(),
                token.user(),
                token.role().text(),
                token.createdSeconds(),
                token.expiresSeconds());
        return new Made(shown, secret);
      }
    }

    private Token.Role role() {
      return admin ? Token.Role.ADMIN : Token.Role.USER;
    }

    private static double seconds(String text) {
      try {
        double seconds = Units.seconds(text);
        if (seconds > 0) {
          return seconds;
        }
      } catch (BadInput e) {
        throw new BadInput("--expires: " + e.getMessage());
      }
      throw new BadInput("--expires: '%s' is not above 0".formatted(text));
    }
  }

  @Command(name = "list", description = "Lists tokens.", mixinStandardHelpOptions = true)
  static final class Listing implements Callable<Integer> {
    @Mixin LiveOptions live = new LiveOptions();

    @Override
    public Integer call() {
      Fields answer = live.client().get("token list", "/tokens");
      if (live.json.given) {
        System.out.print(Json.document(answer));
        return 0;
      }
      List<Fields> tokens = answer.objects("tokens");
      if (tokens.isEmpty()) {
        System.out.println("There is none: everybody on the server's machine may do everything.");
        System.err.println("Next: ringmaster token add NAME --admin --save");
        return 0;
      }
      Table table =
          new Table("id", "user", "role", "made", "expires")
              .left("role", "made", "expires")
              .words("user");
      for (Fields token : tokens) {
        table.row(
            token.text("id"),
            token.text("user"),
            token.text("role"),
            Moments.second(token.number("created_s")),
            token.has("expires_s") ? Moments.second(token.number("expires_s")) : "never");
      }
      System.out.print(table.text());
      return 0;
    }
  }

  @Command(name = "remove", description = "Makes a token void.", mixinStandardHelpOptions = true)
  static final class Remove implements Callable<Integer> {
    @Mixin LiveOptions live = new LiveOptions();

    @Parameters(paramLabel = "ID", description = "see 'ringmaster token list'")
    long id;

    @Override
    public Integer call() {
      Fields answer =
          live.client().change("token remove " + id, "DELETE", "/tokens/" + id, Map.of());
      if (live.json.given) {
        System.out.print(Json.document(answer));
      } else {
        System.out.println("token " + id + " removed");
      }
      return 0;
    }
  }
}
