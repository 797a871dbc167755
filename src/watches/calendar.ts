import { hash } from 'node:crypto';
import { writeAudit } from '../accounts/admin/audit.ts';
import type { Caller } from '../accounts/types.ts';
import type { Calendar, WatchCalendar } from '../contract/account/watch-schemas.ts';
import { spanOf } from '../contract/due-date.ts';
import { operationOf } from '../contract/operations/index.ts';
import { instant } from '../runtime/clock.ts';
import { thresholdsOf } from './due.ts';
import type { EditingParts } from './editing.ts';
import { payerOf } from './maker.ts';
import { withReadableNames } from './readable-names.ts';
import type { StoredWatch } from './records.ts';
import { actorOfCaller } from './watch-audit.ts';

export const CALENDAR_PATH = '/v1/account/watches/calendar.ics';
const TOKEN_BYTES = 24;
const TOKEN = /^cal_[\w-]{32}$/;
const hashOf = (token: string): string => hash('sha256', token, 'hex');

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', ';': '\\;', ',': '\\,', '\n': '\\n' };
/** RFC 5545, 3.3.11. */
const textOf = (value: string): string =>
  value
    .replace(/\r\n?/g, '\n')
    .replace(/[\\;,\n]/g, (character) => ESCAPES[character] ?? '')
    .replace(/\p{Cc}/gu, ' ');
const MOST_OCTETS = 75;
/** Lines of more than 75 octets go on in the next one, after a space (RFC 5545, 3.1). No character is cut. */
export function folded(line: string): string {
  const lines: string[] = [];
  let [part, octets] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MOST_OCTETS) {
      lines.push(part);
      [part, octets] = [' ', 1];
    }
    part += character;
    octets += size;
  }
  return [...lines, part].join('\r\n');
}

const basic = (ms: number): string => instant(ms).replace(/[-:]|\.\d+/g, '');
const dayOf = (ms: number): string => basic(ms).slice(0, 8);
type Dated = Pick<StoredWatch, 'id' | 'name' | 'operation' | 'parameters' | 'due_on' | 'due_read_at'>;

function eventOf({ id, name, operation, parameters, due_on, due_read_at }: Dated): readonly string[] {
  const { dayMs } = spanOf(due_on ?? '');
  const about = Object.values(JSON.parse(parameters) as Record<string, string>).join(', ');
  const field = operationOf(operation)?.watch.due?.field;
  return [
    'BEGIN:VEVENT',
    `UID:${id}@sightline`,
    `DTSTAMP:${basic(due_read_at ?? dayMs)}`,
    `DTSTART;VALUE=DATE:${dayOf(dayMs)}`,
    // no DTEND: the day after the last one that RFC 5545 can write is in the year 10000
    'DURATION:P1D',
    `SUMMARY:${textOf(`${withReadableNames(about)} ${field === 'expiresOn' ? 'expires' : (field ?? '')}${name === null || name === about ? '' : ` (${withReadableNames(name)})`}`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** A calendar has one component at least (RFC 5545, 3.4), and strict readers refuse one without: where no date is due, the time zone of its days. */
const NO_EVENTS = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** iCalendar (RFC 5545): one day each for the dates of these watches. */
export const calendarOf = (watches: readonly Dated[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sightline//Due dates//EN',
    'NAME:Sightline',
    'X-WR-CALNAME:Sightline',
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    ...(watches.length === 0 ? NO_EVENTS : watches.flatMap(eventOf)),
    'END:VCALENDAR',
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join('');

/** The calendar of an account: one address at a time, whose token reads names and dates of what is due, and nothing else. */
export function createCalendars({ store, now, randomBytes }: Pick<EditingParts, 'store' | 'now' | 'randomBytes'>) {
  const { db } = store;
  /** Whether the key that made the address may still look up what it shows. */
  async function isOpen({ account_id, key_id }: { readonly account_id: string; readonly key_id: string }): Promise<boolean> {
    const payer = await payerOf(store, { account_id, key_id, operation: 'registration' }, await now());
    return payer !== null && payer !== 'deleted';
  }
  return {
    /** When the address was made. */
    async show({ accountId }: Pick<Caller, 'accountId'>): Promise<Calendar> {
      const calendar = await db.selectFrom('watch_calendars').selectAll().where('account_id', '=', accountId).executeTakeFirst();
      return { createdAt: calendar && (await isOpen(calendar)) ? instant(calendar.created_at) : null };
    },

    /** `base`: the service as the caller reaches it. */
    async make(caller: Caller, base: string): Promise<WatchCalendar> {
      const token = `cal_${Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')}`;
      const createdAt = await now();
      const values = { key_id: caller.keyId, hash: hashOf(token), created_at: createdAt };
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('watch_calendars')
          .values({ account_id: caller.accountId, ...values })
          .onConflict((c) => c.column('account_id').doUpdateSet(values))
          .execute();
        await writeAudit(trx, createdAt, { actor: actorOfCaller(caller), action: 'calendar.make', subject: caller.accountId, facts: {} });
      });
      const url = new URL(CALENDAR_PATH, base);
      url.searchParams.set('token', token);
      return { url: url.href, createdAt: instant(createdAt) };
    },

    async end(caller: Caller): Promise<void> {
      const endedAt = await now();
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom('watch_calendars').where('account_id', '=', caller.accountId).execute();
        await writeAudit(trx, endedAt, { actor: actorOfCaller(caller), action: 'calendar.end', subject: caller.accountId, facts: {} });
      });
    },

    /** The text of the calendar; null: the token is not valid, or its key or account ended. */
    async read(token: string): Promise<string | null> {
      if (!TOKEN.test(token)) return null;
      const calendar = await db.selectFrom('watch_calendars').selectAll().where('hash', '=', hashOf(token)).executeTakeFirst();
      if (!calendar) return null;
      if (!(await isOpen(calendar))) return null;
      const { account_id } = calendar;
      const watches = await db
        .selectFrom('watches')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('due_on', 'is not', null)
        .orderBy('due_on')
        .orderBy('n')
        .execute();
      return calendarOf(watches.filter((watch) => thresholdsOf(watch).length > 0));
    },
  };
}
