import type { Comparison } from "../data";
import { count, duration, percent } from "../ui/format";
import { hasSeeds, mean } from "./metrics";
import { pairOf, type Choice } from "./pairing";

/** What a pair comes to, in sentences. */
export function Words({ comparison, choice }: { comparison: Comparison; choice: Choice }) {
  const { policies, pairs, seeds } = comparison;
  const a = policies[choice.a];
  const b = policies[choice.b];
  const pair = pairOf(pairs!, policies.length, choice);
  const jobs = pairs!.jobs;
  const same = jobs - pair.sooner - pair.later;
  const part = (n: number) => `${count(n)} (${percent(n / jobs)})`;
  const noun = pair.sooner === 1 ? "job" : "jobs";
  const all = hasSeeds(comparison) ? ` (of ${seeds.length} seeds)` : "";
  return (
    <div id="pair-words" aria-live="polite">
      <p>
        On the same {count(jobs)} jobs{all} {verdict(comparison, choice)}{" "}
        {same === jobs ? (
          "Every job ends at the same time."
        ) : (
          <>
            {count(pair.sooner)} {noun} ({percent(pair.sooner / jobs)}) end sooner under{" "}
            <strong>{a.name}</strong> than under <strong>{b.name}</strong>, {part(pair.later)}{" "}
            later, {part(same)} at the same time.
          </>
        )}
      </p>
      <p>{certainty(comparison, choice)}</p>
    </div>
  );
}

function verdict(comparison: Comparison, choice: Choice): string {
  const a = comparison.policies[choice.a];
  const b = comparison.policies[choice.b];
  const jctA = mean(a, "jct_mean_s");
  const jctB = mean(b, "jct_mean_s");
  const times = `mean JCT ${duration(jctA)} against ${duration(jctB)}`;
  const change = Math.abs(jctA / jctB - 1);
  if (change < 1e-6) {
    return `${a.name} is as fast as ${b.name}: ${times}.`;
  }
  const how = change < 0.0005 ? "less than 0.1 %" : amount(jctA / jctB);
  return jctA < jctB
    ? `${a.name} is faster than ${b.name}: ${times}, ${how} less.`
    : `${a.name} is slower than ${b.name}: ${times}, ${how} more.`;
}

/** How much more or less; large ratios are told as such. */
function amount(ratio: number): string {
  return ratio > 3 ? `${(ratio - 1).toFixed(1)} times` : percent(Math.abs(ratio - 1));
}

/** Whether other seeds could have told otherwise. */
function certainty(comparison: Comparison, choice: Choice) {
  const { policies, pairs, seeds } = comparison;
  const { difference, ci95 } = pairOf(pairs!, policies.length, choice);
  const [a, b] = [policies[choice.a].name, policies[choice.b].name];
  if (!hasSeeds(comparison)) {
    return "One seed gives no interval: repeat with --seeds to learn how sure this is.";
  }
  if (ci95 < 1e-9 * (1 + Math.abs(difference))) {
    return "The difference is the same with every seed, so there is no interval to give.";
  }
  const low = difference - ci95;
  const high = difference + ci95;
  const interval =
    `Seed by seed, mean JCT under ${b} minus that under ${a} is ${signed(difference)} on average, ` +
    `95 % interval ${signed(low)} to ${signed(high)}.`;
  const answer =
    low > 0
      ? "Yes: the interval excludes 0"
      : high < 0
        ? `No, ${b} is: the interval excludes 0`
        : `It cannot be told from these ${seeds.length} seeds: the interval includes 0`;
  return (
    <>
      {interval} Is {a} better than {b}? <strong>{answer}.</strong>
    </>
  );
}

export function signed(seconds: number): string {
  return seconds > 0
    ? `+${duration(seconds)}`
    : seconds < 0
      ? `−${duration(-seconds)}`
      : duration(0);
}
