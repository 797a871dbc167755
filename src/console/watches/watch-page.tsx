import { useSignal } from '@preact/signals';
import type { Watch, WatchDeliveries, WatchHistory } from '../../contract/account/watch-schemas.ts';
import { operationIcon, operationName, workbenchAt } from '../app/operations.ts';
import { go, pageAt } from '../app/place.ts';
import { api, received } from '../app/session.ts';
import { Chart } from '../charts/chart.tsx';
import { Act } from '../parts/act.tsx';
import { Button, download, LinkButton } from '../parts/controls.tsx';
import { Card, Pill, Rows, Time } from '../parts/display.tsx';
import { ChoiceFilter, filterOf, setFilters } from '../parts/filters.tsx';
import { capital, number, plural, short, shortTime } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { Problem, pageOf, wordsOf } from '../parts/page.tsx';
import { Stats } from '../parts/stats.tsx';
import { baseOf, hostOf, linesOf } from './moves.ts';
import { ChangeWatch } from './new-watch.tsx';
import { toldColumn } from './told.tsx';
import { everyInWords, fieldName, isRank, reasonOf, sentenceOf, watchName, watchPath } from './watch.tsx';
import { Budget, CHANGE_COLUMNS, readChanges, StatePill, WatchActs } from './watches.tsx';

const LINES = [
  ['', 'Movers'],
  ['mine', 'Mine'],
] as const;
export type Check = WatchHistory['checks'][number];
/** The numbers of the checks; a check without an answer is a gap. Nothing where the operation has no numbers. */
export function Course({ checks }: { checks: readonly Check[] }) {
  const fields = [...new Set(checks.flatMap(({ series }) => series.map((point) => baseOf(point.field))))];
  const field =
    fields.find((each) => each === filterOf('_series')) ?? fields.find((each) => each.includes('.') && isRank(each)) ?? fields[0];
  if (field === undefined) return null;
  const inOrder = checks.toReversed();
  const lines = linesOf(inOrder, field);
  const own = lines.filter(({ path }) => path !== field);
  const hasBoth = own.length > 0 && own.length < lines.length;
  const isMine = hasBoth && filterOf('_lines') === 'mine';
  const hosts = lines.flatMap(({ name }) => (name === null ? [] : hostOf(name)));
  /** Of a page its host, where no other line has that. */
  const shortName = (name: string): string => (hosts.filter((host) => host === hostOf(name)).length === 1 ? hostOf(name) : name);
  const series = (isMine ? own : lines).map(({ path, key, name }) => ({
    name: name === null ? fieldName(path) : shortName(name),
    values: inOrder.map((check) => check.series.find((point) => point.field === path && point.key === key)?.value ?? null),
  }));
  const title = `${fieldName(field)} by check`;
  return (
    <Card title={title} aside={`${isRank(field) ? '1 is the top · ' : ''}a gap is a check without this number`}>
      {(fields.length > 1 || hasBoth) && (
        <div class="toolbar">
          {fields.length > 1 && (
            <ChoiceFilter id="_series" name="Number" value={field} choices={fields.map((each) => [each, fieldName(each)])} />
          )}
          {hasBoth && <ChoiceFilter id="_lines" name="Lines" choices={LINES} />}
        </div>
      )}
      <Chart
        title={title}
        isLines
        isLabelled
        isRank={isRank(field)}
        isCount={series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))}
        places={inOrder.map((check) => check.at)}
        label={shortTime}
        format={(value) => (value < 10_000 ? number(value) : short(value))}
        series={series}
      />
    </Card>
  );
}

const CHECKS = 100;
const MOST_ROWS = 10;

async function readWatch(id: string, signal: AbortSignal) {
  const [watch, history, changes, { deliveries }] = await Promise.all([
    api<Watch>(watchPath(id), { signal }),
    api<WatchHistory>(watchPath(id, '/history'), { query: { limit: CHECKS, after: filterOf('_older') }, signal }),
    readChanges({ watch: id, limit: MOST_ROWS }, signal),
    api<WatchDeliveries>(watchPath(id, '/deliveries'), { query: { limit: MOST_ROWS, to: 'all' }, signal }),
  ]);
  return { watch, history, changes, deliveries };
}
type ReadWatch = Awaited<ReturnType<typeof readWatch>>;

function Missed({ checks }: { checks: readonly Check[] }) {
  const missed = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'skipped');
  return (
    <Card
      title="Checks without an answer"
      aside={`${missed.length} of ${checks.length}`}
      none="Every check here had an answer."
      rows={missed.slice(0, MOST_ROWS).map((check) => ({
        ...{ id: check.at, icon: check.outcome === 'failed' ? 'close' : 'pause' },
        first: [capital(check.outcome), ' ', <Time key="at" at={check.at} />],
        second: [reasonOf(check), check.outcome === 'failed' && ` (${check.code})`],
      }))}
    />
  );
}

function Webhook({
  watch: { watchId, webhook, mayChange },
  deliveries,
  reload,
}: Pick<ReadWatch, 'watch' | 'deliveries'> & { reload: () => unknown }) {
  if (!webhook) return null;
  const { url, failingSince, disabledAt, lastError } = webhook;
  return (
    <Card title="Webhook">
      <p class="cell">{url}</p>
      {failingSince && (
        <p class="problem">
          {disabledAt ? 'Switched off, because it was not reached for three days or answered 410' : 'It is not reached'} since{' '}
          <Time at={failingSince} />
          {lastError && `: ${lastError}`}
        </p>
      )}
      <Rows
        none="No message was sent yet."
        rows={deliveries
          .filter(({ as }) => as === 'webhook')
          .map(({ cursor, kinds, createdAt, attempts, nextAt, deliveredAt, result }) => ({
            ...{ id: cursor, first: kinds.join(', ') },
            second: [<Time key="at" at={createdAt} />, ` · ${plural(attempts, 'attempt')}${result ? `, the last one: ${result}` : ''}`],
            aside: (
              <>
                <Pill tone={deliveredAt ? 'good' : nextAt ? 'busy' : 'bad'} text={deliveredAt ? 'Taken' : nextAt ? 'Waits' : 'Not taken'} />
                {mayChange && (
                  <Act
                    name="Send again"
                    of={`message ${cursor}`}
                    style="quiet"
                    says="The message is sent again under its id."
                    run={() => api(watchPath(watchId, `/deliveries/${encodeURIComponent(cursor)}/repeat`), { method: 'POST' })}
                    done={reload}
                  />
                )}
              </>
            ),
          }))}
      />
    </Card>
  );
}

const EXPORTS = { CSV: 'text/csv', NDJSON: 'application/x-ndjson' };
function History({ id, checks, after }: { id: string } & ReadWatch['history']) {
  const failed = useSignal<string | null>(null);
  const save = async (format: string, type: string): Promise<void> => {
    try {
      const history = await received(watchPath(id, '/history'), { query: { format } });
      download(`${id}.${format}`, type, await history.text());
    } catch (error) {
      failed.value = wordsOf(error);
    }
  };
  return (
    <Card title="History" aside={`${checks.length} checks here`}>
      <p class="actions">
        {Object.entries(EXPORTS).map(([name, type]) => (
          <Button key={name} icon="download" text={name} onClick={() => void save(name.toLowerCase(), type)} />
        ))}
        <LinkButton icon="list" href={pageAt(`/console/requests?_label=${id}&_range=30d`)} text="Requests" />
        {after !== null && <Button text="Older checks" onClick={() => setFilters({ _older: after })} />}
      </p>
      <Problem words={failed.value} />
    </Card>
  );
}

function ShownWatch({ data: { watch, history, changes, deliveries }, reload }: { data: ReadWatch; reload: () => Promise<void> }) {
  const { watchId, operation, parameters, every, nextAt, paused, costPerMonth, lastChange, mayChange } = watch;
  const { checks } = history;
  const count = (outcome: string): number => checks.filter((check) => check.outcome === outcome).length;
  return (
    <>
      <header class="lead">
        <p class="caption grow">
          {operationName(operation)} · {everyInWords(every)}
          {!paused && [' · next ', <Time key="next" at={nextAt} />]}
        </p>
        <StatePill watch={watch} />
        <LinkButton icon={operationIcon(operation)} href={workbenchAt(operation, parameters)} text="Open in Workbench" />
        {mayChange && <ChangeWatch watch={watch} done={reload} />}
        <WatchActs inBar watch={watch} done={reload} removed={() => go(pageAt('/console/watches'))} />
      </header>
      <Stats
        stats={[
          ['Last change', lastChange ? shortTime(lastChange.at) : 'none', lastChange && sentenceOf(lastChange)],
          ['Last check', capital(watch.lastCheck?.outcome ?? 'none'), watch.lastCheck && <Time at={watch.lastCheck.at} />],
          ['Checks', number(checks.length), `${count('failed')} failed, ${count('skipped')} skipped`],
          ['Credits this month', <Budget key="budget" of={watch} />, `${number(costPerMonth)} at most at this interval`],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Course checks={checks} />
          <Card title="Changes" aside={changes.hasMore && <a href={pageAt(`/console/changes?_watch=${watchId}`)}>All changes</a>}>
            <Grid
              caption="Changes"
              isExcerpt
              columns={[...CHANGE_COLUMNS.filter(({ id }) => id !== 'source'), toldColumn(deliveries)]}
              keyOf={(c) => c.id}
              rows={changes.changes}
              none={checks.length === 0 ? 'No check yet.' : 'No change yet.'}
            />
          </Card>
        </div>
        <div class="stack">
          <Missed checks={checks} />
          <Webhook watch={watch} deliveries={deliveries} reload={reload} />
          <Card title="Lookup" facts={parameters} />
          <History id={watchId} {...history} />
        </div>
      </div>
    </>
  );
}

export const WatchPage = pageOf(
  'watchId',
  (id) => ({
    title: ({ watch }) => watchName(watch),
    back: [pageAt('/console/watches'), 'All watches'],
    load: (signal) => readWatch(id, signal),
    keys: [id, filterOf('_older')],
    isLive: true,
  }),
  ShownWatch,
);
