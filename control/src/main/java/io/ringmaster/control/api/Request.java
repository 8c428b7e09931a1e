package io.ringmaster.control.api;

import java.util.Map;

/**
 * A request, free of any server.
 *
 * @param path as sent, decoded, without the query
 * @param headers names in lower case
 * @param from address of the caller
 */
public record Request(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    String body,
    String from) {

  Request with(String otherBody) {
    return new Request(method, path, query, headers, otherBody, from);
  }
}
