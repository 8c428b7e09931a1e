package io.ringmaster.control.api;

/** A refusal that is decided here, with its status. The message is one line for people. */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Response reply;

  Problem(int status, String message) {
    this(Response.error(status, message), message);
  }

  private Problem(Response reply, String message) {
    super(message, null, false, false);
    this.reply = reply;
  }

  Problem with(String header, String value) {
    return new Problem(reply.with(header, value), String.valueOf(getMessage()));
  }

  Response reply() {
    return reply;
  }
}
