import { FEED_KINDS, type WatchChange, type WatchChanges } from '../../contract/account/watch-schemas.ts';
import { operationChoices, operationName, watchAt } from '../app/operations.ts';
import { api } from '../app/session.ts';
import type { Column } from '../parts/columns.tsx';
import { filterOf } from '../parts/filters.tsx';
import { moment, number } from '../parts/format.ts';
import { ListPage } from '../parts/grid.tsx';
import { Icon } from '../parts/icons.tsx';
import { useLoaded } from '../parts/page.tsx';
import { readWatches, sentenceOf, watchName } from './watch.tsx';

/** A page of the feed, or of the changes of one watch, newest first. */
export const readChanges = (query: Readonly<Record<string, string | number | undefined>>, signal: AbortSignal): Promise<WatchChanges> =>
  api('/v1/account/changes', { query: { ...query, order: 'newest' }, signal });

const [PAGE, MOST] = [200, 50];
/** The newest changes that have what is asked for: pages are read until there are some. */
async function readMatching(watch: string, after: string | undefined, has: (change: WatchChange) => boolean, signal: AbortSignal) {
  const rows: WatchChange[] = [];
  for (let from = after; ; ) {
    const page = await readChanges({ watch, after: from, limit: PAGE }, signal);
    rows.push(...page.changes.filter(has));
    if (!page.hasMore || rows.length >= MOST) return { rows, after: page.hasMore ? page.after : null };
    from = page.after ?? undefined;
  }
}

/** Names of fields that say what an entry of a list is, the best first. */
const TITLES = [/title$/i, /(?:content|body|text)$/i, /^name$|author|reviewer$/i, /handle$|url$/i];
/** A value of an answer, or an entry of a list, in a few words. */
export function brief(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // texts of the discussion platform are stored for two days, then their hashes
  if (typeof value === 'string' && value.startsWith('sha256:')) return 'a text that is not stored any more';
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d(?:T|$)/.test(value) ? moment(value) : value;
  if (Array.isArray(value)) return value.map(brief).join(', ') || 'none';
  const entry = Object.entries(value);
  const texts = TITLES.flatMap((title) => entry.find(([name, text]) => title.test(name) && text)?.[1] ?? []).map(brief);
  return texts.slice(0, 2).join(' · ') || JSON.stringify(value);
}

const Turned = ({ before, after }: WatchChange) => (
  <span class="turned">
    <span class="cell">{brief(before)}</span>
    <Icon name="right" />
    <span class="visually-hidden"> then </span>
    <strong class="cell">{brief(after)}</strong>
  </span>
);

export const CHANGE_COLUMNS: readonly Column<WatchChange>[] = [
  { id: 'what', name: 'Change', value: sentenceOf, of: (c) => <span class="cell">{sentenceOf(c)}</span> },
  { id: 'at', name: 'When', as: 'time', value: (c) => c.at },
  { id: 'turned', name: 'Before and after', value: (c) => `${brief(c.before)} → ${brief(c.after)}`, of: (c) => <Turned {...c} /> },
  { id: 'source', name: 'Source', value: (c) => c.source },
];
const KINDS = FEED_KINDS.map((kind) => [kind, kind] as const);

export function Changes() {
  const { value: watches = [] } = useLoaded(readWatches, []);
  const names = new Map(watches.map((watch) => [watch.watchId, watchName(watch)]));
  const nameOf = ({ watchId, name, operation }: WatchChange): string => names.get(watchId) ?? name ?? operationName(operation);
  const [first, ...others] = CHANGE_COLUMNS;
  const columns: readonly Column<WatchChange>[] = [
    ...(first ? [first] : []),
    { id: 'watch', name: 'Watch', value: nameOf, of: (c) => <span class="cell">{nameOf(c)}</span> },
    ...others,
    { id: 'op', name: 'Operation', value: (c) => operationName(c.operation), hidden: true },
    { id: 'field', name: 'Field', as: 'code', value: (c) => c.field, hidden: true },
    { id: 'key', name: 'Entry', as: 'code', value: (c) => c.key, hidden: true },
    { id: 'cursor', name: 'Cursor', as: 'code', value: (c) => c.cursor, hidden: true },
  ];
  const [watch = '', operation, kind] = ['_watch', '_op', '_kind'].map(filterOf);
  return (
    <ListPage
      title="Changes"
      icon="bell"
      none="No changes with these filters"
      hint="What your watches find is listed here; checks that fail three times in a row, too."
      columns={columns}
      keyOf={(c) => c.id}
      hrefOf={(c) => watchAt(c.watchId)}
      load={(after, signal) =>
        readMatching(watch, after, (c) => (!operation || c.operation === operation) && (!kind || c.kind === kind), signal)
      }
      filters={[
        { id: '_watch', name: 'Watch', choices: [...names] },
        { id: '_op', name: 'Operation', choices: operationChoices() },
        { id: '_kind', name: 'Kind', choices: KINDS },
      ]}
      isLive
    />
  );
}
