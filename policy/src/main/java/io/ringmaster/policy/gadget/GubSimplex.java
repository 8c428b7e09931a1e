package io.ringmaster.policy.gadget;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The linear program over the columns found so far: the most profit with at most 1 of the columns
 * of each job and at most 1 of each resource. A primal simplex for generalised upper bounds
 * (Dantzig and Van Slyke, Generalized upper bounding techniques, 1967): each job has one basic
 * variable, its key, that needs no row. So the basis that is inverted has one row for each
 * resource, however many jobs there are. Columns may be added after an optimum; the next one starts
 * from there.
 *
 * <p>Variables are numbered: what is left of each resource, what is left of each job, columns.
 */
final class GubSimplex {
  /** Profits and pivots below it count as none, as shares of the greatest profit and of 1. */
  private static final double EPSILON = 1e-9;

  /** Variables that are looked at before the best of them enters. */
  private static final int WINDOW = 256;

  private final int resources;
  private final int jobs;
  private final int refreshAfter;
  private final List<Column> columns = new ArrayList<>();
  private final int[] key;
  private final int[] basic;
  private final double[][] inverse;
  private final double[] value;
  private final double[] capacity;
  private final double[] prices;
  private final double[] alpha;
  private final double[] keyRate;
  private final double[] keyValue;
  private double mostProfit;
  private int cursor;
  private int pivots;
  private long steps;

  GubSimplex(int resources, int jobs) {
    this.resources = resources;
    this.jobs = jobs;
    // Making the inverse anew costs as much as this many pivots.
    refreshAfter = Math.max(64, resources);
    key = new int[jobs];
    basic = new int[resources];
    inverse = new double[resources][resources];
    value = new double[resources];
    capacity = new double[resources];
    prices = new double[resources];
    alpha = new double[resources];
    keyRate = new double[jobs];
    keyValue = new double[jobs];
    for (int r = 0; r < resources; r++) {
      basic[r] = r;
      inverse[r][r] = 1;
      // Capacities that differ by next to nothing keep whole numbers of GPUs from making ties, in
      // which a simplex may go round in circles. The basis that is best is best without it too.
      capacity[r] = 1 + 1e-8 * (1 + r * 0.6180339887498949 % 1);
      value[r] = capacity[r];
    }
    for (int j = 0; j < jobs; j++) {
      key[j] = resources + j;
    }
  }

  void add(Column column) {
    columns.add(column);
    mostProfit = Math.max(mostProfit, column.profit());
  }

  List<Column> columns() {
    return columns;
  }

  /** What the whole of each resource costs. */
  double[] prices() {
    double[] copy = new double[resources];
    for (int r = 0; r < resources; r++) {
      copy[r] = Math.max(0, prices[r]);
    }
    return copy;
  }

  /** The profit of the plan. */
  double profit() {
    double sum = 0;
    double[] fractions = fractions();
    for (int k = 0; k < fractions.length; k++) {
      sum += fractions[k] * columns.get(k).profit();
    }
    return sum;
  }

  /** What a job is worth beyond the price of its resources. */
  double jobPrice(int job) {
    return Math.max(0, profit(key[job]) - cost(key[job]));
  }

  /** How much of each column is in the plan. */
  double[] fractions() {
    double[] fractions = new double[columns.size()];
    double[] left = new double[jobs];
    Arrays.fill(left, 1);
    for (int i = 0; i < resources; i++) {
      int job = job(basic[i]);
      if (job >= 0) {
        left[job] -= value[i];
        put(fractions, basic[i], value[i]);
      }
    }
    for (int j = 0; j < jobs; j++) {
      put(fractions, key[j], left[j]);
    }
    return fractions;
  }

  private void put(double[] fractions, int variable, double amount) {
    if (variable >= resources + jobs) {
      fractions[variable - resources - jobs] = Math.clamp(amount, 0, 1);
    }
  }

  /** Additions and multiplications so far, about. */
  long steps() {
    return steps;
  }

  /** Goes to the optimum, or on to so many steps in all; false if numbers fail it. */
  boolean optimise(long mostSteps) {
    updatePrices();
    int entering = entering();
    while (entering >= 0 && steps < mostSteps) {
      pivots++;
      boolean whole = bringIn(entering);
      if (pivots % refreshAfter == 0) {
        whole = whole && refresh();
      }
      if (!whole) {
        return false;
      }
      updatePrices();
      entering = entering();
    }
    return true;
  }

  private void updatePrices() {
    steps += (long) resources * resources;
    Arrays.fill(prices, 0);
    for (int i = 0; i < resources; i++) {
      int job = job(basic[i]);
      double gain = profit(basic[i]) - (job < 0 ? 0 : profit(key[job]));
      if (gain != 0) {
        double[] row = inverse[i];
        for (int r = 0; r < resources; r++) {
          prices[r] += gain * row[r];
        }
      }
    }
  }

  /** The best of some variables that would add profit, from where the last search ended; or -1. */
  private int entering() {
    int count = resources + jobs + columns.size();
    double best = EPSILON * mostProfit;
    int entering = -1;
    for (int seen = 0; seen < count && (entering < 0 || seen < WINDOW); seen++) {
      steps += 8;
      cursor = cursor + 1 < count ? cursor + 1 : 0;
      int job = job(cursor);
      double gain = profit(cursor) - cost(cursor);
      if (job >= 0) {
        gain -= profit(key[job]) - cost(key[job]);
      }
      if (gain > best) {
        best = gain;
        entering = cursor;
      }
    }
    return entering;
  }

  private boolean bringIn(int entering) {
    int own = job(entering);
    Arrays.fill(alpha, 0);
    multiply(entering, 1);
    if (own >= 0) {
      multiply(key[own], -1);
    }
    for (int i = 0; i < resources; i++) {
      int job = job(basic[i]);
      if (job >= 0) {
        keyRate[job] = 0;
        keyValue[job] = 1;
      }
    }
    if (own >= 0) {
      keyRate[own] = -1;
      keyValue[own] = 1;
    }
    double most = Double.POSITIVE_INFINITY;
    int row = -1;
    for (int i = 0; i < resources; i++) {
      int job = job(basic[i]);
      if (job >= 0) {
        keyRate[job] += alpha[i];
        keyValue[job] -= value[i];
      }
      if (alpha[i] > EPSILON && Math.max(0, value[i]) / alpha[i] < most) {
        most = Math.max(0, value[i]) / alpha[i];
        row = i;
      }
    }
    int keyOf = -1;
    for (int i = -1; i < resources; i++) {
      int job = i < 0 ? own : job(basic[i]);
      if (job >= 0
          && keyRate[job] < -EPSILON
          && Math.max(0, keyValue[job]) / -keyRate[job] < most) {
        most = Math.max(0, keyValue[job]) / -keyRate[job];
        keyOf = job;
      }
    }
    if (row < 0 && keyOf < 0) {
      return false;
    }
    for (int i = 0; i < resources; i++) {
      value[i] -= alpha[i] * most;
    }
    if (keyOf >= 0) {
      return replaceKey(keyOf, entering, most);
    }
    basic[row] = entering;
    value[row] = most;
    replace(row);
    return true;
  }

  /**
   * The key of a job leaves. Another of its basic variables becomes the key, or the one that enters
   * if it is of the same job. With one other, one column of the basis changes; with more, all of
   * theirs do.
   */
  private boolean replaceKey(int job, int entering, double amount) {
    int other = -1;
    int others = 0;
    for (int i = 0; i < resources; i++) {
      if (job(basic[i]) == job) {
        other = i;
        others++;
      }
    }
    if (job == job(entering)) {
      key[job] = entering;
      if (others == 0) {
        return true;
      }
      // The column of the other was (other - old key); it is (other - entering) now.
      for (int i = 0; i < resources; i++) {
        alpha[i] = (i == other ? 1 : 0) - alpha[i];
      }
    } else {
      key[job] = basic[other];
      basic[other] = entering;
      value[other] = amount;
    }
    if (others > 1) {
      return refresh();
    }
    replace(other);
    return true;
  }

  /** A column of the basis becomes the one that is alpha in terms of the old basis. */
  private void replace(int row) {
    steps += (long) resources * resources;
    double[] pivotRow = inverse[row];
    double pivot = alpha[row];
    for (int r = 0; r < resources; r++) {
      pivotRow[r] /= pivot;
    }
    for (int i = 0; i < resources; i++) {
      double factor = alpha[i];
      if (i != row && factor != 0) {
        double[] other = inverse[i];
        for (int r = 0; r < resources; r++) {
          other[r] -= factor * pivotRow[r];
        }
      }
    }
  }

  /** Inverts the basis and works out its values anew, by Gauss and Jordan. */
  private boolean refresh() {
    steps += 2L * resources * resources * resources;
    double[][] basis = new double[resources][resources];
    double[] rest = capacity.clone();
    for (int j = 0; j < jobs; j++) {
      addUsage(key[j], -1, rest);
    }
    double[] usage = new double[resources];
    for (int i = 0; i < resources; i++) {
      Arrays.fill(usage, 0);
      addUsage(basic[i], 1, usage);
      if (job(basic[i]) >= 0) {
        addUsage(key[job(basic[i])], -1, usage);
      }
      for (int r = 0; r < resources; r++) {
        basis[r][i] = usage[r];
      }
      Arrays.fill(inverse[i], 0);
      inverse[i][i] = 1;
    }
    for (int i = 0; i < resources; i++) {
      int best = i;
      for (int r = i + 1; r < resources; r++) {
        best = Math.abs(basis[r][i]) > Math.abs(basis[best][i]) ? r : best;
      }
      if (Math.abs(basis[best][i]) < 1e-12) {
        return false;
      }
      swap(basis, i, best);
      swap(inverse, i, best);
      eliminate(basis, i);
    }
    for (int i = 0; i < resources; i++) {
      value[i] = 0;
      for (int r = 0; r < resources; r++) {
        value[i] += inverse[i][r] * rest[r];
      }
    }
    return true;
  }

  private void eliminate(double[][] basis, int i) {
    double pivot = basis[i][i];
    for (int r = 0; r < resources; r++) {
      basis[i][r] /= pivot;
      inverse[i][r] /= pivot;
    }
    for (int other = 0; other < resources; other++) {
      double factor = basis[other][i];
      if (other != i && factor != 0) {
        for (int r = 0; r < resources; r++) {
          basis[other][r] -= factor * basis[i][r];
          inverse[other][r] -= factor * inverse[i][r];
        }
      }
    }
  }

  private static void swap(double[][] rows, int a, int b) {
    double[] row = rows[a];
    rows[a] = rows[b];
    rows[b] = row;
  }

  /** Adds the inverse times a variable's usage. */
  private void multiply(int variable, double sign) {
    if (variable < resources) {
      for (int i = 0; i < resources; i++) {
        alpha[i] += sign * inverse[i][variable];
      }
    } else if (variable >= resources + jobs) {
      columns.get(variable - resources - jobs).addProduct(inverse, sign, alpha);
    }
  }

  private void addUsage(int variable, double sign, double[] usage) {
    if (variable < resources) {
      usage[variable] += sign;
    } else if (variable >= resources + jobs) {
      columns.get(variable - resources - jobs).addTo(usage, sign);
    }
  }

  /** The job of a variable; -1 for what is left of a resource. */
  private int job(int variable) {
    return variable < resources
        ? -1
        : variable < resources + jobs
            ? variable - resources
            : columns.get(variable - resources - jobs).job();
  }

  private double profit(int variable) {
    return variable < resources + jobs ? 0 : columns.get(variable - resources - jobs).profit();
  }

  private double cost(int variable) {
    return variable < resources
        ? prices[variable]
        : variable < resources + jobs ? 0 : columns.get(variable - resources - jobs).cost(prices);
  }
}
