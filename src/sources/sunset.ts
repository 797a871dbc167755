const DAY_MS = 86_400_000;
/** From this many days before its end a source shows it. */
const ANNOUNCED_DAYS = 180;

/** The announced end of an interface of a platform. */
export interface Sunset {
  /** The last announced day, `YYYY-MM-DD`; a month alone as its first day. */
  readonly date: string;
  /** One sentence; it names earlier dates, too. For the operator. */
  readonly what: string;
  /** What remains, in neutral words: clients read it after the date. */
  readonly instead: string;
  readonly reference: string;
}

/** The announced end of a configured source, as `/readyz` shows it. */
export interface SourceSunset {
  readonly source: string;
  readonly date: string;
  /** Negative after the date. */
  readonly daysLeft: number;
  readonly what: string;
  readonly instead: string;
}

type WithSunset = { readonly sunset?: Sunset };

/** Days from today (UTC) until the announced date: 0 on that day, negative after it. */
export const daysUntil = ({ date }: Sunset, nowMs: number): number => (Date.parse(date) - (nowMs - (nowMs % DAY_MS))) / DAY_MS;

/** The sunset of a source, from 180 days before its date on; otherwise null. */
export const announcedSunset = ({ sunset }: WithSunset, nowMs: number): Sunset | null =>
  sunset && daysUntil(sunset, nowMs) <= ANNOUNCED_DAYS ? sunset : null;

/** For the operator: when the interface ends, what that means, and what remains. */
export function sunsetText(sunset: Sunset, nowMs: number): string {
  const days = daysUntil(sunset, nowMs);
  const when = days < 0 ? `ended on ${sunset.date}` : `ends on ${sunset.date} (in ${days} days)`;
  return `${when}: ${sunset.what} What remains: ${sunset.instead}. ${sunset.reference}`;
}

/** For clients: the sentence that a failure has after the date; empty before it. */
export const closedText = ({ sunset }: WithSunset, nowMs: number): string =>
  sunset && daysUntil(sunset, nowMs) < 0 ? ` The platform closed this interface on ${sunset.date}. What remains: ${sunset.instead}.` : '';
