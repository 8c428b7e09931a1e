package io.ringmaster.workload.json;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a record in a document: its components, in the order in which they are declared.
 *
 * <p>{@code minGpus} is called {@code min_gpus}, and {@code startedSeconds} {@code started_s}. A
 * component that is null is written as null; an {@link java.util.Optional} that is empty is left
 * out.
 */
public final class RecordFields {
  /** Of a record or a map: its fields stand in its place. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  public @interface Inline {}

  /** What a field is called, where that is no name in Java. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  public @interface Named {
    String value();
  }

  /** Of a record, or of a class and all records in it: fields are called as components are. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  public @interface NamedAsDeclared {}

  /**
   * A field.
   *
   * @param path accessors that lead to its value: of a record that is inline, then of its component
   * @param isInline whether it is a map whose members stand in its place
   */
  public record Field(String name, AnnotatedType type, List<Method> path, boolean isInline) {
    @Nullable Object of(Object data) {
      Object value = data;
      try {
        for (Method accessor : path) {
          value = accessor.invoke(Objects.requireNonNull(value));
        }
        return value;
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          return read(type);
        }
      };

  private RecordFields() {}

  public static List<Field> of(Class<?> type) {
    return FIELDS.get(type);
  }

  private static List<Field> read(Class<?> type) {
    boolean asDeclared =
        Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getEnclosingClass)
            .anyMatch(each -> each.isAnnotationPresent(NamedAsDeclared.class));
    List<Field> fields = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      boolean inline = component.isAnnotationPresent(Inline.class);
      if (inline && component.getType().isRecord()) {
        for (Field inner : of(component.getType())) {
          List<Method> path = new ArrayList<>(List.of(accessor));
          path.addAll(inner.path());
          fields.add(new Field(inner.name(), inner.type(), path, inner.isInline()));
        }
      } else {
        Named named = component.getAnnotation(Named.class);
        String declared = component.getName();
        String name = named != null ? named.value() : asDeclared ? declared : snakeCase(declared);
        fields.add(new Field(name, component.getAnnotatedType(), List.of(accessor), inline));
      }
    }
    return List.copyOf(fields);
  }

  private static String snakeCase(String name) {
    String snake = name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return snake.replaceAll("_seconds?(?=_|$)", "_s");
  }
}
