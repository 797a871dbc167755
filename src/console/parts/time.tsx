import { useEffect, useState } from 'preact/hooks';
import { day, moment } from './format.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });
const short = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const dayName = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const today = (): string => new Date().toISOString().slice(0, 10);

/** An instant for a list, UTC: the time of today, `Nov 20, 09:02` of this year, else the date. */
export function shortTime(text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  if (text.slice(0, 10) === today()) return clock.format(at);
  return text.slice(0, 4) === today().slice(0, 4) ? short.format(at) : day(text);
}
/** `Nov 20` for a day or an instant, UTC. */
export const shortDay = (text: string): string => dayName.format(new Date(text));

/** An instant in one line; the whole instant is its title. */
export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={moment(at)}>
    {shortTime(at)}
  </time>
);

/** The time now, epoch ms; the component is drawn again at this interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
