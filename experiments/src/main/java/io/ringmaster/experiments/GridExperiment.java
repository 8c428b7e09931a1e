package io.ringmaster.experiments;

import java.util.function.LongConsumer;

/** An experiment that is one {@link Grid}: all that is its own are the cells and the rows. */
public abstract class GridExperiment<C, R> implements Experiment {
  private final String name;
  private final String summary;
  private final String source;

  protected GridExperiment(String name, String summary, String source) {
    this.name = name;
    this.summary = summary;
    this.source = source;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String summary() {
    return summary;
  }

  @Override
  public final String source() {
    return source;
  }

  protected abstract Grid<C, R> grid();

  protected abstract Results results(Outcomes<C, R> outcomes, int draws);

  /** More where a cell takes so little time that one draw would tell nothing. */
  protected int drawsOfGrid(int draws) {
    return draws;
  }

  @Override
  public final long steps(int draws) {
    return grid().steps(drawsOfGrid(draws));
  }

  @Override
  public final Results run(int draws, int threads, LongConsumer done) {
    return results(grid().run(drawsOfGrid(draws), threads, done), draws);
  }
}
