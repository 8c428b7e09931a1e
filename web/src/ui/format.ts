const MINUTE = 60;
const HOUR = 3600;
const DAY = 86400;

/** A unit in which times are told. */
export interface TimeUnit {
  seconds: number;
  /** As in "2.3 h". */
  short: string;
  /** As in "hours". */
  long: string;
}

const UNITS: TimeUnit[] = [
  { seconds: DAY, short: "d", long: "days" },
  { seconds: HOUR, short: "h", long: "hours" },
  { seconds: MINUTE, short: "min", long: "minutes" },
  { seconds: 1, short: "s", long: "seconds" },
];

/** The largest unit of which there are at least `least`. */
export function timeUnit(seconds: number, least = 1.5): TimeUnit {
  const size = Math.abs(seconds);
  return UNITS.find((unit) => size >= least * unit.seconds) ?? UNITS[UNITS.length - 1];
}

/** Three significant digits, thousands apart. */
export function number(value: number): string {
  if (!Number.isFinite(value)) {
    return "–";
  }
  const size = Math.abs(value);
  if (size >= 100) {
    return Math.round(value).toLocaleString("en");
  }
  return value.toFixed(size >= 10 ? 1 : size >= 0.095 || size === 0 ? 2 : 3);
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(Math.abs(share) < 0.0995 ? 1 : 0)} %`;
}

/** A time in the unit that suits it. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) {
    return "–";
  }
  if (seconds === 0) {
    return "0 s";
  }
  const unit = timeUnit(seconds);
  return `${number(seconds / unit.seconds)} ${unit.short}`;
}

/** A moment, told as days and hours since the start: "3 d 04:05", or "04:05:06" on the first day. */
export function moment(seconds: number): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  const day = Math.floor(seconds / DAY);
  const rest = seconds - day * DAY;
  const clock = `${two(rest / HOUR)}:${two((rest % HOUR) / MINUTE)}`;
  return day > 0 ? `${day} d ${clock}` : `${clock}:${two(rest % MINUTE)}`;
}

/** A name that a file may have. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
