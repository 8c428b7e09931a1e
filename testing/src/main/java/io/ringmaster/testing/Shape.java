package io.ringmaster.testing;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a document looks like, whoever describes it: a record, a type of TypeScript, or a schema of
 * OpenAPI.
 */
public sealed interface Shape {
  /** integer, number (any number), string, boolean, or unknown (anything). */
  record Plain(String name) implements Shape {}

  record ListOf(Shape item) implements Shape {}

  /** Values under names that are not known beforehand; one of several records is such, too. */
  record MapOf(Shape value) implements Shape {}

  record OrNull(Shape shape) implements Shape {}

  /** A field that may be left out. */
  record OrAbsent(Shape shape) implements Shape {}

  record Fields(Map<String, Shape> fields) implements Shape {}

  Plain UNKNOWN = new Plain("unknown");

  /**
   * The shape of a type.
   *
   * @param fields names and types of the fields of a record
   */
  static Shape of(AnnotatedType type, Function<Class<?>, Map<String, AnnotatedType>> fields) {
    Shape shape = plain(type, fields);
    boolean nullable =
        Arrays.stream(type.getAnnotations())
            .anyMatch(a -> a.annotationType().getSimpleName().equals("Nullable"));
    return nullable ? new OrNull(shape) : shape;
  }

  /** The shape of a record. */
  static Shape of(Class<?> data, Function<Class<?>, Map<String, AnnotatedType>> fields) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    fields.apply(data).forEach((name, type) -> shapes.put(name, of(type, fields)));
    return new Fields(shapes);
  }

  private static Shape plain(
      AnnotatedType type, Function<Class<?>, Map<String, AnnotatedType>> fields) {
    if (type instanceof AnnotatedArrayType array) {
      return new ListOf(of(array.getAnnotatedGenericComponentType(), fields));
    }
    if (type instanceof AnnotatedParameterizedType generic) {
      AnnotatedType[] of = generic.getAnnotatedActualTypeArguments();
      Class<?> raw = (Class<?>) ((ParameterizedType) generic.getType()).getRawType();
      Shape last = of(of[of.length - 1], fields);
      return raw == Optional.class
          ? new OrAbsent(last)
          : raw == Map.class ? new MapOf(last) : new ListOf(last);
    }
    if (!(type.getType() instanceof Class<?> raw)) {
      return UNKNOWN;
    }
    if (raw.isRecord()) {
      return of(raw, fields);
    }
    if (raw.isSealed()) {
      return new MapOf(UNKNOWN);
    }
    return switch (raw.getSimpleName()) {
      case "int", "long", "Integer", "Long" -> new Plain("integer");
      case "double", "Double" -> new Plain("number");
      case "boolean", "Boolean" -> new Plain("boolean");
      case "Object" -> UNKNOWN;
      default -> new Plain("string");
    };
  }

  /**
   * Where a description differs from what is written; empty if nowhere. It may say less than there
   * is to say: that a field may be left out which never is, or that it is unknown what it holds.
   */
  static List<String> differences(String where, Shape written, Shape described) {
    List<String> found = new ArrayList<>();
    compare(where, written, described, found);
    return found;
  }

  private static void compare(String where, Shape written, Shape described, List<String> found) {
    switch (described) {
      case Plain plain when plain.equals(UNKNOWN) -> {}
      case MapOf map when map.value().equals(UNKNOWN) && written instanceof Fields -> {}
      case OrAbsent other ->
          compare(
              where,
              written instanceof OrAbsent mine ? mine.shape() : written,
              other.shape(),
              found);
      case OrNull other when written instanceof OrNull mine ->
          compare(where, mine.shape(), other.shape(), found);
      case ListOf other when written instanceof ListOf mine ->
          compare(where + "[]", mine.item(), other.item(), found);
      case MapOf other when written instanceof MapOf mine ->
          compare(where + ".*", mine.value(), other.value(), found);
      case Fields other when written instanceof Fields mine -> {
        TreeSet<String> names = new TreeSet<>(mine.fields().keySet());
        names.addAll(other.fields().keySet());
        for (String name : names) {
          Shape here = mine.fields().get(name);
          Shape there = other.fields().get(name);
          if (here == null) {
            found.add("%s.%s is described, and never written".formatted(where, name));
          } else if (there == null) {
            found.add("%s.%s is written, and not described".formatted(where, name));
          } else {
            compare(where + "." + name, here, there, found);
          }
        }
      }
      case Plain other when written instanceof Plain mine && isA(mine, other) -> {}
      default -> found.add("%s is %s, and described as %s".formatted(where, written, described));
    }
  }

  private static boolean isA(Plain mine, Plain other) {
    return mine.equals(other) || (mine.name().equals("integer") && other.name().equals("number"));
  }
}
