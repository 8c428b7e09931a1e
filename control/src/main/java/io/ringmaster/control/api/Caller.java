package io.ringmaster.control.api;

import io.ringmaster.control.store.Token.Role;

/** Who asks, once that is known. */
record Caller(String user, Role role) {
  boolean isAdmin() {
    return role == Role.ADMIN;
  }

  /** Whose jobs are shown: empty for all. */
  String sees() {
    return isAdmin() ? "" : user;
  }

  boolean sees(String owner) {
    return isAdmin() || user.equals(owner);
  }
}
