package io.ringmaster.model.collect;

/** A growing list of ints. */
public final class IntList {
  private int[] values = new int[16];
  private int size;

  public void add(int value) {
    values = Grow.ensure(values, size + 1);
    values[size++] = value;
  }

  public int get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index + " of " + size);
    }
    return values[index];
  }

  public void set(int index, int value) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index + " of " + size);
    }
    values[index] = value;
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Removes and returns the last value. */
  public int pop() {
    return values[--size];
  }

  /** Takes a value out; those behind it move up. */
  public void removeAt(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index + " of " + size);
    }
    System.arraycopy(values, index + 1, values, index, --size - index);
  }

  public void clear() {
    size = 0;
  }

  public int[] toArray() {
    return java.util.Arrays.copyOf(values, size);
  }
}
