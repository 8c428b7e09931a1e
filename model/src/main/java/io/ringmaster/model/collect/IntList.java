package io.ringmaster.model.collect;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntConsumer;

/** A growing list of ints. */
public final class IntList {
  private int[] values = new int[16];
  private int size;

  public void add(int value) {
    values = Grow.ensure(values, size + 1);
    values[size++] = value;
  }

  public void addAll(IntList others) {
    values = Grow.ensure(values, size + others.size);
    System.arraycopy(others.values, 0, values, size, others.size);
    size += others.size;
  }

  public int get(int index) {
    return values[Objects.checkIndex(index, size)];
  }

  public void set(int index, int value) {
    values[Objects.checkIndex(index, size)] = value;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public boolean contains(int value) {
    for (int i = 0; i < size; i++) {
      if (values[i] == value) {
        return true;
      }
    }
    return false;
  }

  /**
   * Not for what is done at every event: the simple compiler makes a lambda that holds on to
   * something by a call into the JVM.
   */
  public void forEach(IntConsumer action) {
    for (int i = 0; i < size; i++) {
      action.accept(values[i]);
    }
  }

  /** Removes and returns the last value. */
  public int pop() {
    return values[--size];
  }

  /** Takes a value out; those behind it move up. */
  public void removeAt(int index) {
    Objects.checkIndex(index, size);
    System.arraycopy(values, index + 1, values, index, --size - index);
  }

  public void clear() {
    size = 0;
  }

  public int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
