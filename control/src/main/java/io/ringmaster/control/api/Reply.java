package io.ringmaster.control.api;

import java.util.Map;

/** An answer, free of any server. */
public record Reply(int status, String contentType, String body, Map<String, String> headers) {}
