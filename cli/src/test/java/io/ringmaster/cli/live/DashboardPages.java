package io.ringmaster.cli.live;

import java.util.LinkedHashMap;
import java.util.Map;

/** A server with jobs and a past, and every page that it has. */
public final class DashboardPages implements AutoCloseable {
  private final CrowdedServer server = new CrowdedServer(24, 120);

  public DashboardPages() {
    server.looked(600);
  }

  /** By what they are called. */
  public Map<String, String> addresses() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("dashboard", server.url() + "/#/");
    pages.put("colours", server.url() + "/#/?text=bert&colour=user&group=rack");
    pages.put("links", server.url() + "/#/?colour=links&group=state");
    pages.put("history", server.url() + "/#/history");
    pages.put("job", server.url() + "/#/jobs/20");
    pages.put("user", server.url() + "/#/users/user7");
    pages.put("submit", server.url() + "/#/submit");
    pages.put("policy", server.url() + "/#/policy");
    return pages;
  }

  @Override
  public void close() {
    server.close();
  }
}
