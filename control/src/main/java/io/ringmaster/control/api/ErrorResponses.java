package io.ringmaster.control.api;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** What the server refuses before it is a request, such as bad HTTP, in the shape of all errors. */
final class ErrorResponses extends ErrorHandler {
  @Override
  protected void generateResponse(
      Request request,
      org.eclipse.jetty.server.Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    String words = message == null || message.isBlank() ? HttpStatus.getMessage(code) : message;
    byte[] body = Response.error(code, words).bytes();
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.write(true, ByteBuffer.wrap(body), callback);
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }
}
