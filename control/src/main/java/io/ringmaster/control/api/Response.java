package io.ringmaster.control.api;

import io.ringmaster.control.job.JobSpecs;
import io.ringmaster.workload.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An answer, free of any server. Logs are bytes that need not be text, so the body is bytes. */
public final class Response {
  private static final String JSON = "application/json";

  private final int status;
  private final String contentType;
  private final byte[] bytes;
  private final Map<String, String> headers;
  private final @Nullable Feed feed;

  /**
   * What to go on with after the head: history after a serial, as it is written.
   *
   * @param after -1: from now on
   * @param caller who listens
   * @param whyOver why the caller may listen no more, in words; null: it may
   */
  record Feed(long after, Caller caller, Supplier<@Nullable String> whyOver) {}

  private Response(
      int status,
      String contentType,
      byte[] bytes,
      Map<String, String> headers,
      @Nullable Feed feed) {
    this.status = status;
    this.contentType = contentType;
    this.bytes = bytes;
    this.headers = Map.copyOf(headers);
    this.feed = feed;
  }

  public Response(int status, String contentType, String body, Map<String, String> headers) {
    this(status, contentType, body.getBytes(StandardCharsets.UTF_8), headers, null);
  }

  static Response json(int status, Record value) {
    return new Response(status, JSON, Json.text(value) + "\n", Map.of());
  }

  /** A refusal: one line for people. */
  static Response error(int status, String message) {
    String line = message.replaceAll("\\p{C}", "?");
    return json(status, new Shapes.Failure(line.isBlank() ? "refused" : line));
  }

  static Response bytes(String contentType, byte[] bytes, Map<String, String> headers) {
    return new Response(200, contentType, bytes, headers, null);
  }

  static Response empty(int status) {
    return new Response(status, "", "", Map.of());
  }

  static Response feed(Feed feed) {
    return new Response(200, "text/event-stream", new byte[0], Map.of(), feed);
  }

  Response with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Response(status, contentType, bytes, more, feed);
  }

  public int status() {
    return status;
  }

  /** Empty if there is no body. */
  public String contentType() {
    return contentType;
  }

  public String body() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /** The same, to be read only: nothing is copied. */
  ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  public Map<String, String> headers() {
    return headers;
  }

  @Nullable Feed feed() {
    return feed;
  }

  @Override
  public String toString() {
    return status + " " + JobSpecs.shown(body());
  }
}
