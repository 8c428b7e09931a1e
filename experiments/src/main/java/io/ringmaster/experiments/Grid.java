package io.ringmaster.experiments;

import io.ringmaster.runs.Parallel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * An experiment as a grid: every cell, such as a policy in a setting, on every draw. Equal cells
 * run once. The number of threads does not show in what comes out.
 *
 * @param <C> a cell; told apart by {@code equals}
 * @param <R> what comes of a cell on one draw
 */
public final class Grid<C, R> {
  @FunctionalInterface
  public interface Run<C, R> {
    /** The outcome on one draw; draws count from 1. */
    R on(C cell, int draw);
  }

  private record Task<C>(C cell, int draw) {}

  private final List<C> cells;
  private final Run<C, R> run;
  private final ToIntFunction<C> mostDraws;
  private final ToLongFunction<C> stepsOfARun;

  public Grid(Collection<C> cells, Run<C, R> run) {
    this(cells.stream().distinct().toList(), run, _ -> Integer.MAX_VALUE, _ -> 1);
  }

  private Grid(
      List<C> cells, Run<C, R> run, ToIntFunction<C> mostDraws, ToLongFunction<C> stepsOfARun) {
    this.cells = cells;
    this.run = run;
    this.mostDraws = mostDraws;
    this.stepsOfARun = stepsOfARun;
  }

  /** The same where some cells have fewer draws than others. */
  public Grid<C, R> withAtMost(ToIntFunction<C> draws) {
    return new Grid<>(cells, run, draws, stepsOfARun);
  }

  /** The same where progress counts some cells as more than one step. */
  public Grid<C, R> counting(ToLongFunction<C> steps) {
    return new Grid<>(cells, run, mostDraws, steps);
  }

  /** How many steps a run with so many draws reports. */
  public long steps(int draws) {
    return tasks(draws).stream().mapToLong(task -> stepsOfARun.applyAsLong(task.cell)).sum();
  }

  /**
   * Runs all cells.
   *
   * @param done told how many steps are done, from any thread
   */
  public Outcomes<C, R> run(int draws, int threads, LongConsumer done) {
    List<Task<C>> tasks = tasks(draws);
    AtomicLong steps = new AtomicLong();
    List<R> results =
        Parallel.map(
            tasks.size(),
            threads,
            _ -> {},
            i -> {
              Task<C> task = tasks.get(i);
              R result = run.on(task.cell, task.draw);
              done.accept(steps.addAndGet(stepsOfARun.applyAsLong(task.cell)));
              return result;
            });
    Map<C, List<R>> byCell = new LinkedHashMap<>();
    for (int i = 0; i < results.size(); i++) {
      byCell.computeIfAbsent(tasks.get(i).cell, _ -> new ArrayList<>()).add(results.get(i));
    }
    return new Outcomes<>(byCell);
  }

  /** Draw by draw, so that what is left is of one kind with what is done. */
  private List<Task<C>> tasks(int draws) {
    List<Task<C>> tasks = new ArrayList<>();
    for (int draw = 1; draw <= draws; draw++) {
      for (C cell : cells) {
        if (draw <= mostDraws.applyAsInt(cell)) {
          tasks.add(new Task<>(cell, draw));
        }
      }
    }
    return tasks;
  }
}
