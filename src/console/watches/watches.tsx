import { FEED_KINDS, STOPPED_BECAUSE } from '../../contract/account/constants.ts';
import type { Watch, WatchChange, WatchChanges, WatchCheck } from '../../contract/account/watch-schemas.ts';
import { OperationName } from '../account/requests.tsx';
import { operationChoices, operationName, watchAt } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { api, mayManage } from '../app/session.ts';
import { Spark } from '../charts/chart.tsx';
import { Act } from '../parts/act.tsx';
import { Chip, LinkButton } from '../parts/controls.tsx';
import { Pill, Time, Used } from '../parts/display.tsx';
import { ChoiceFilter, filterOf } from '../parts/filters.tsx';
import { moment, number, plural } from '../parts/format.ts';
import { ListPage } from '../parts/grid.tsx';
import { Icon } from '../parts/icons.tsx';
import { useLoaded } from '../parts/page.tsx';
import { Readable } from '../parts/readable.tsx';
import type { Column } from '../parts/table.tsx';
import { fieldName, fieldOf, sentenceOf, subjectOf } from './change-words.ts';
import { isRank } from './moves.ts';
import { WatchTabs } from './tabs.tsx';
import { checkInWords, everyInWords, priceOf, readWatches, watchName, watchPath, watchState } from './watch.tsx';

export const StatePill = ({ watch }: { watch: Watch }) => <Pill {...watchState(watch)} />;

const budgetOf = ({ spentThisMonth, creditsPerMonth }: Watch): string => `${number(spentThisMonth)} of ${number(creditsPerMonth)}`;
export const Budget = ({ of }: { of: Watch }) => <Used words={budgetOf(of)} share={of.spentThisMonth / of.creditsPerMonth} />;

/** Pause or resume, check now, remove; each asks once. Nothing where the session may not. `removed`: where the watch is not there any more. */
type WatchActsProps = Readonly<{ watch: Watch; done: () => unknown; removed?: () => unknown; inBar?: boolean }>;
export function WatchActs({ watch, done, removed = done, inBar = false }: WatchActsProps) {
  const { watchId, paused, mayChange, stopped } = watch;
  if (!mayChange) return null;
  const own = { of: watchName(watch), style: inBar ? undefined : 'quiet', done } as const;
  const set = (body: object) => () => api(watchPath(watchId), { method: 'PATCH', body });
  const takeOver = stopped === 'key' && mayManage() && (
    <Act
      {...own}
      key="take"
      name="Take over"
      says={`It is not checked any more: ${STOPPED_BECAUSE.key}. From now on this session pays for it.`}
      run={set({ takeOver: true })}
    />
  );
  const remove = (
    <Act
      {...own}
      key="remove"
      name="Remove"
      style="danger"
      says="The watch, its checks, changes and messages are deleted. This cannot be undone."
      run={() => api(watchPath(watchId), { method: 'DELETE' })}
      done={removed}
    />
  );
  return (
    <>
      {paused ? (
        <Act {...own} name="Resume" says="Its checks are made again at its times." run={set({ paused: false })} />
      ) : (
        <Act {...own} name="Pause" says="Its checks are skipped until it is resumed." run={set({ paused: true })} />
      )}
      <Act
        {...own}
        name="Check now"
        price={plural(priceOf(watch), 'credit')}
        {...(inBar && { style: 'primary', isPriced: true, icon: 'refresh' })}
        says={`The lookup is made now, at its usual price and within the budget of the month, of which ${budgetOf(watch)} credits are used.`}
        run={async () => {
          const check = await api<WatchCheck>(watchPath(watchId, '/run'), { method: 'POST' });
          return `The check ended as ${checkInWords(check)}. ${plural(check.credits, 'credit')} charged.`;
        }}
      />
      {inBar ? <Chip value="More" children={() => [takeOver, remove]} /> : remove}
    </>
  );
}

const lastOf = ({ course }: Watch): number | null => course?.values.findLast((value) => value !== null) ?? null;
const courseOf = (watch: Watch) =>
  watch.course && lastOf(watch) !== null ? (
    <Spark name={fieldName(watch.course.field)} values={watch.course.values} isRank={isRank(watch.course.field)} />
  ) : null;
const named = (name: string, about: string) => [
  <span key="name" class="cut" children={<Readable text={name} />} />,
  <span key="about" class="caption" children={about} />,
];
const happened = (when: string, what: string, title: string) => (
  <span title={title}>
    <Time at={when} /> {what}
  </span>
);
const changeOf = ({ lastChange: last }: Watch) =>
  last && happened(last.at, `${last.kind} ${last.field && fieldName(last.field).toLowerCase()}`, sentenceOf(last));
const checkOf = ({ lastCheck: last }: Watch) => last && happened(last.at, last.outcome, checkInWords(last));

const COLUMNS: readonly Column<Watch>[] = [
  { id: 'watch', name: 'Watch', value: watchName, of: (w) => named(watchName(w), operationName(w.operation)) },
  { id: 'op', name: 'Operation', value: (w) => operationName(w.operation), of: (w) => <OperationName id={w.operation} />, hidden: true },
  { id: 'state', name: 'State', value: (w) => watchState(w).text, of: (w) => <StatePill watch={w} /> },
  { id: 'course', name: 'Course', value: lastOf, of: courseOf, roomy: true },
  { id: 'change', name: 'Last change', value: (w) => w.lastChange?.at ?? null, of: changeOf },
  { id: 'budget', name: 'Credits this month', value: (w) => w.spentThisMonth, of: (w) => <Budget of={w} />, roomy: true },
  { id: 'check', name: 'Last check', value: (w) => w.lastCheck?.at ?? null, of: checkOf, roomy: true },
  { id: 'every', name: 'When', value: (w) => everyInWords(w.every), roomy: true },
  { id: 'next', name: 'Next check', as: 'time', value: (w) => w.nextAt, hidden: true },
  { id: 'month', name: 'Credits a month at most', as: 'number', value: (w) => w.costPerMonth, hidden: true },
  { id: 'id', name: 'Id', as: 'code', value: (w) => w.watchId, hidden: true },
];

const SHOWN: readonly (readonly [id: string, words: string, has: (watch: Watch) => boolean])[] = [
  ['', 'All', () => true],
  ['attention', 'Attention', (w) => /warn|bad/.test(watchState(w).tone)],
  ['paused', 'Paused', (w) => w.paused],
];

function sumOf(watches: readonly Watch[]): string {
  const sum = (of: (watch: Watch) => number): string => number(watches.reduce((all, watch) => all + of(watch), 0));
  const cost = `${plural(watches.length, 'watch', 'watches')}: up to ${sum((w) => (w.paused ? 0 : w.costPerMonth))} credits a month`;
  return `${cost}; the budgets allow ${sum((w) => w.creditsPerMonth)}`;
}

export function Watches() {
  const [shown, operation] = ['_state', '_op'].map(filterOf);
  const [, , has] = SHOWN.find(([id]) => id === shown) ?? SHOWN[0] ?? [];
  return (
    <ListPage
      title="Watches"
      icon="eye"
      none="No watches here"
      hint="Run a lookup, and choose “Watch this” beside its answer: it is made again at its times, and you see what changed."
      columns={COLUMNS}
      keyOf={(w) => w.watchId}
      hrefOf={(w) => watchAt(w.watchId)}
      load={async (_, signal) =>
        (await readWatches(signal)).filter((w) => has?.(w) && (operation === '' || w.operation === operation)).reverse()
      }
      summary={(watches) => <span>{sumOf(watches)}</span>}
      filters={[{ id: '_op', name: 'Operation', choices: operationChoices() }]}
      actions={(watch, reload) => <WatchActs watch={watch} done={reload} />}
      above={<WatchTabs />}
      acts={() => mayManage() && <LinkButton class="primary" icon="plus" href={pageAt('/console/w/serp')} text="New watch" />}
    >
      <ChoiceFilter id="_state" name="State" choices={SHOWN.map(([id, words]) => [id, words])} />
    </ListPage>
  );
}

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
  { id: 'what', name: 'Change', value: sentenceOf, of: (c) => <span class="cell" children={<Readable text={sentenceOf(c)} />} /> },
  { id: 'at', name: 'When', as: 'time', value: (c) => c.at },
  { id: 'turned', name: 'Before and after', value: (c) => `${brief(c.before)} → ${brief(c.after)}`, of: (c) => <Turned {...c} /> },
  { id: 'source', name: 'Source', value: (c) => c.source },
];
/** The changes of one watch, in the order of its page. */
export const ownChangeColumns = (watch: Watch): readonly Column<WatchChange>[] => [
  { id: 'at', name: 'When', as: 'time', value: (c) => c.at },
  {
    id: 'what',
    name: 'What',
    value: (c) => subjectOf(c, watchName(watch)),
    of: (c) => <span class="cell" title={sentenceOf(c)} children={<Readable text={subjectOf(c, watchName(watch))} />} />,
    isHead: true,
  },
  { id: 'field', name: 'Field', value: fieldOf },
  ...CHANGE_COLUMNS.filter(({ id }) => id === 'turned'),
];
const KINDS = FEED_KINDS.map((kind) => [kind, kind] as const);

export function Changes() {
  const { value: watches = [] } = useLoaded(readWatches, []);
  const names = new Map(watches.map((watch) => [watch.watchId, watchName(watch)]));
  const nameOf = ({ watchId, name, operation }: WatchChange): string => names.get(watchId) ?? name ?? operationName(operation);
  const [first, ...others] = CHANGE_COLUMNS;
  const columns: readonly Column<WatchChange>[] = [
    ...(first ? [first] : []),
    { id: 'watch', name: 'Watch', value: nameOf, of: (c) => <span class="cell" children={<Readable text={nameOf(c)} />} /> },
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
      above={<WatchTabs />}
      isLive
    />
  );
}
