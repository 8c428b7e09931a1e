/** A moment as a clock shows it; with the date if it is another day. */
export function clock(seconds: number): string {
  const time = new Date(1000 * seconds);
  const text = time.toLocaleTimeString("en-GB");
  return time.toDateString() === new Date().toDateString()
    ? text
    : `${time.toLocaleDateString("en-CA")} ${text}`;
}

const NEAR_DAYS = 6;

/** For tables: to the minute; of the days around with the day of the week, else the date alone. */
export function minute(seconds: number): string {
  const time = new Date(1000 * seconds);
  const text = time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (time.toDateString() === new Date().toDateString()) {
    return text;
  }
  return Math.abs(time.getTime() - Date.now()) < NEAR_DAYS * 86_400_000
    ? `${time.toLocaleDateString("en-GB", { weekday: "short" })} ${text}`
    : time.toLocaleDateString("en-CA");
}
