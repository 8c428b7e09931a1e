import type { Comparison, Members, Pair, Pairs } from "../data";

/** Two policies of a comparison, by their place in it. */
export interface Choice {
  a: number;
  b: number;
}

/** The pair with a as the first, whichever of them the data has first. */
export function pairOf(pairs: Pairs, policies: number, { a, b }: Choice): Pair {
  const [i, j] = a < b ? [a, b] : [b, a];
  const pair = pairs.list[(i * (2 * policies - i - 1)) / 2 + (j - i - 1)];
  return a < b ? pair : swapped(pair);
}

function swapped(pair: Pair): Pair {
  const members = ({ job, first, second }: Members) => ({ job, first: second, second: first });
  return {
    difference: -pair.difference,
    ci95: pair.ci95,
    sooner: pair.later,
    later: pair.sooner,
    soonerByGroup: pair.laterByGroup,
    laterByGroup: pair.soonerByGroup,
    quantiles: pair.quantiles.map((value) => -value).reverse(),
    gains: members(pair.losses),
    losses: members(pair.gains),
  };
}

/** Share of jobs that end sooner under the first, less those that end later. */
export function netShare(comparison: Comparison, choice: Choice): number {
  const pairs = comparison.pairs!;
  const pair = pairOf(pairs, comparison.policies.length, choice);
  return (pair.sooner - pair.later) / pairs.jobs;
}
