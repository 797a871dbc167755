import type { Watch, WatchChange } from '../../contract/account/watch-schemas.ts';
import { wasOver } from '../../contract/due-date.ts';

const DAY_MS = 86_400_000;
/** How long a change is shown beside its domain. */
const RECENT_DAYS = 30;
export const GROUPS = ['Ended, still registered', 'Within 30 days', 'Within 90 days', 'Later', 'No date stated', 'Not registered'] as const;
export type Group = (typeof GROUPS)[number];

/** A watched domain with what the feed says of it. */
export interface DomainRow {
  readonly watch: Watch;
  readonly name: string;
  readonly group: Group;
  /** The day of its date; null: none is stated. */
  readonly on: string | null;
  readonly days: number | null;
  /** Days before this date at which it was told, the most first; -1: that it is over. */
  readonly told: readonly number[];
  /** The date as it was before, where it moved lately. */
  readonly before: string | null;
  /** Its last change of the last 30 days. */
  readonly changed: WatchChange | null;
  readonly registrar: string | null;
  /** Against a transfer to another registrar; null: its registry states no states. */
  readonly lock: 'locked' | 'open' | null;
  readonly servers: readonly string[];
}

const listIn = ({ latest }: Watch, field: string): readonly string[] => {
  const value = latest[field];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};
export const statesOf = (watch: Watch): readonly string[] => listIn(watch, 'status');
function lockOf(watch: Watch): DomainRow['lock'] {
  const states = statesOf(watch);
  if (states.length === 0) return null;
  return states.some((state) => /^(?:client|server)TransferProhibited$/.test(state)) ? 'locked' : 'open';
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function groupOf({ state, dueDate }: Watch): Group {
  if (state === 'free') return 'Not registered';
  if (dueDate === null) return 'No date stated';
  const { daysLeft } = dueDate;
  return daysLeft < 0 ? 'Ended, still registered' : daysLeft <= 30 ? 'Within 30 days' : daysLeft <= 90 ? 'Within 90 days' : 'Later';
}

/** Watches of registrations with their dates, the nearest first. `changes`: of the feed, newest first. */
export function domainsOf(watches: readonly Watch[], changes: readonly WatchChange[], nowMs: number): readonly DomainRow[] {
  const byWatch = Map.groupBy(changes, ({ watchId }) => watchId);
  const rows = watches.flatMap((watch): DomainRow[] => {
    if (watch.operation !== 'registration') return [];
    const own = byWatch.get(watch.watchId) ?? [];
    const recent = own.filter(({ at }) => nowMs - Date.parse(at) <= RECENT_DAYS * DAY_MS);
    const { dueDate } = watch;
    const on = watch.state === 'free' ? null : (dueDate?.on ?? null);
    const told = own.flatMap(({ kind, after, daysLeft, at }) =>
      kind === 'due' && after === on ? [wasOver(on, Date.parse(at)) ? -1 : (daysLeft ?? 0)] : [],
    );
    const moved = recent.find(({ kind, field }) => kind === 'changed' && field === 'expiresOn');
    return [
      {
        ...{ watch, name: watch.parameters.domain ?? '', group: groupOf(watch), on: on === null ? null : on.slice(0, 10) },
        days: on === null ? null : (dueDate?.daysLeft ?? null),
        told: [...new Set(told)].sort((a, b) => b - a),
        before: typeof moved?.before === 'string' ? moved.before : null,
        ...{ registrar: textOf(watch.latest['registrar.name']), lock: lockOf(watch), servers: listIn(watch, 'nameServers') },
        changed: recent.find(({ kind }) => !['due', 'failing', 'recovered'].includes(kind)) ?? null,
      },
    ];
  });
  const place = ({ group }: DomainRow): number => GROUPS.indexOf(group);
  return rows.sort((a, b) => place(a) - place(b) || (a.days ?? 0) - (b.days ?? 0) || (a.name < b.name ? -1 : 1));
}

/** The month of this day and the twelve that follow, with how many dates lie in each. */
export function monthsOf(rows: readonly Pick<DomainRow, 'on'>[], nowMs: number): readonly (readonly [month: string, count: number])[] {
  const now = new Date(nowMs);
  return Array.from({ length: 13 }, (_, ahead) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)).toISOString().slice(0, 7);
    return [month, rows.filter(({ on }) => on?.startsWith(month)).length] as const;
  });
}

/** `ended 2 days ago`, `today`, `7`. */
export function daysInWords(days: number | null): string | null {
  if (days === null) return null;
  if (days < 0) return `ended ${days === -1 ? 'yesterday' : `${-days} days ago`}`;
  return days === 0 ? 'today' : String(days);
}

export const toldInWords = (told: readonly number[]): string =>
  told.length === 0
    ? 'not yet'
    : `${told.map((days) => (days < 0 ? 'over' : days)).join(', ')} days`
        .replace(/^over days$/, 'over')
        .replace(/, over days$/, ' days, over');
