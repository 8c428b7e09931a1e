package io.ringmaster.control.store;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Where the two databases want to be told the same in other words. */
enum Dialect {
  SQLITE {
    @Override
    Map<String, String> placeholders() {
      return Map.of(
          "wide",
          "INTEGER",
          "numbered",
          "INTEGER PRIMARY KEY AUTOINCREMENT",
          "name_in_spec",
          "json_extract(spec, '$.name')");
    }

    // A write transaction of SQLite has no other beside it.
    @Override
    String termForWrite() {
      return "SELECT term FROM leader";
    }

    @Override
    String idIsIn() {
      return "id IN (SELECT value FROM json_each(?))";
    }

    @Override
    String ids(Collection<Long> ids) {
      return ids.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
    }
  },

  POSTGRESQL {
    @Override
    Map<String, String> placeholders() {
      return Map.of(
          "wide",
          "BIGINT",
          "numbered",
          "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
          "name_in_spec",
          "CAST(spec AS json) ->> 'name'");
    }

    // Nobody can begin another term, or write, until the transaction that asked is over.
    @Override
    String termForWrite() {
      return "SELECT term FROM leader FOR UPDATE";
    }

    @Override
    String idIsIn() {
      return "id = ANY (CAST(? AS BIGINT[]))";
    }

    @Override
    String ids(Collection<Long> ids) {
      return ids.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }
  };

  /** Types and expressions that the migrations leave open. */
  abstract Map<String, String> placeholders();

  /** Asks for the newest term, such that it stays the newest until the transaction ends. */
  abstract String termForWrite();

  /** A condition with one parameter: {@link #ids}. */
  abstract String idIsIn();

  abstract String ids(Collection<Long> ids);
}
