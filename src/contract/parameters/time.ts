/** RFC 3339: a day, or an instant with its offset. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:t(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/i;

/** Begin of a day of the calendar, UTC, epoch ms; null for any other text. The calendar has no year 0. */
export function dayMsOf(text: string): number | null {
  const ms = /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : null;
}

/** Epoch ms of a day or an instant; null for any other text, and for a day that no calendar has. */
export function timeMsOf(text: string): number | null {
  const [, day = ''] = TIME.exec(text) ?? [];
  return dayMsOf(day) === null ? null : Date.parse(text);
}
