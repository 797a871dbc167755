import { useSignal } from '@preact/signals';
import type { Notify } from '../../contract/account/notify-schemas.ts';
import type { Watch, WatchDeliveries, WatchHistory } from '../../contract/account/watch-schemas.ts';
import { operationIcon, operationName, workbenchAt } from '../app/operations.ts';
import { go, pageAt } from '../app/place.ts';
import { api, received } from '../app/session.ts';
import { Act } from '../parts/act.tsx';
import { saveTable } from '../parts/columns.ts';
import { Button, download, LinkButton } from '../parts/controls.tsx';
import { Card, Pill, Rows, Time } from '../parts/display.tsx';
import { filterOf, setFilters } from '../parts/filters.tsx';
import { capital, number, plural, shortTime } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { Problem, pageOf, wordsOf } from '../parts/page.tsx';
import { type Stat, Stats } from '../parts/stats.tsx';
import { sentenceOf } from './change-words.ts';
import { type Check, Course } from './course.tsx';
import { checksNeeded, isRecent, MOST_DAYS, placeFigures } from './place-figures.ts';
import { NOTIFY } from './target-acts.tsx';
import { TellMeWhen } from './tell-me-when.tsx';
import { toldColumn } from './told.tsx';
import { everyInWords, reasonOf, watchName, watchPath } from './watch.tsx';
import { Budget, ownChangeColumns, readChanges, StatePill, WatchActs } from './watches.tsx';

const MOST_ROWS = 10;

async function readWatch(id: string, signal: AbortSignal) {
  const reading = api<Watch>(watchPath(id), { signal });
  const readHistory = async ({ every }: Watch): Promise<WatchHistory> =>
    api(watchPath(id, '/history'), { query: { limit: checksNeeded(every), after: filterOf('_older') }, signal });
  const [watch, history, changes, { deliveries }, { notify }] = await Promise.all([
    reading,
    reading.then(readHistory),
    readChanges({ watch: id, limit: MOST_ROWS }, signal),
    api<WatchDeliveries>(watchPath(id, '/deliveries'), { query: { limit: MOST_ROWS, to: 'all' }, signal }),
    api<Notify>(NOTIFY, { signal }),
  ]);
  return { watch, history, changes, deliveries, notify };
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

function ShownWatch({ data: { watch, history, changes, deliveries, notify }, reload }: { data: ReadWatch; reload: () => Promise<void> }) {
  const { watchId, operation, parameters, every, nextAt, paused, costPerMonth, lastChange } = watch;
  const { checks } = history;
  // what has a value in no row is left out, such as the field of a registration, which is no list
  const columns = [...ownChangeColumns(watch), toldColumn(deliveries)].filter(
    ({ id, value }) => id !== 'field' || changes.changes.some(value),
  );
  // pages of older checks say nothing of now
  const isNow = filterOf('_older') === '';
  const places = isNow ? placeFigures(checks, Date.now()) : [];
  const counted = isNow ? checks.filter((check) => isRecent(check, Date.now())) : checks;
  const count = (outcome: string): number => counted.filter((check) => check.outcome === outcome).length;
  return (
    <>
      <p class="caption">
        {operationName(operation)} · {everyInWords(every)}
        {!paused && [' · next ', <Time key="next" at={nextAt} />]}
      </p>
      <Stats
        stats={[
          ...(places.length > 0
            ? places
            : ([
                ['Last change', lastChange ? shortTime(lastChange.at) : 'none', lastChange && sentenceOf(lastChange)],
                ['Last check', capital(watch.lastCheck?.outcome ?? 'none'), watch.lastCheck && <Time at={watch.lastCheck.at} />],
              ] satisfies Stat[])),
          [
            isNow ? `Checks, ${MOST_DAYS} days` : 'Checks',
            number(counted.length),
            `${count('failed')} failed, ${count('skipped')} skipped`,
          ],
          ['Credits this month', <Budget key="budget" of={watch} />, `${number(costPerMonth)} at most at this interval`],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Course checks={checks} operation={operation} />
          <Card
            title="Changes"
            aside={
              changes.changes.length > 0 && (
                <>
                  {changes.hasMore && <a href={pageAt(`/console/changes?_watch=${watchId}`)}>All changes</a>}
                  <Button
                    class="quiet"
                    icon="download"
                    text="CSV"
                    aria-label="CSV of these changes"
                    onClick={() => saveTable('changes', columns, changes.changes)}
                  />
                </>
              )
            }
          >
            <Grid
              caption="Changes"
              isExcerpt
              columns={columns}
              keyOf={(c) => c.id}
              rows={changes.changes}
              none={checks.length === 0 ? 'No check yet.' : 'No change yet.'}
            />
          </Card>
        </div>
        <div class="stack">
          <TellMeWhen watch={watch} account={notify} done={reload} />
          <Missed checks={checks} />
          <Webhook watch={watch} deliveries={deliveries} reload={reload} />
          <Card title="Lookup" facts={parameters} />
          <History id={watchId} {...history} />
        </div>
      </div>
    </>
  );
}

const Acts = ({ watch, reload }: { watch: Watch; reload: () => Promise<void> }) => (
  <>
    <LinkButton
      class="quiet"
      icon={operationIcon(watch.operation)}
      href={workbenchAt(watch.operation, watch.parameters)}
      text="Open in Workbench"
    />
    <WatchActs inBar watch={watch} done={reload} removed={() => go(pageAt('/console/watches'))} />
  </>
);

export const WatchPage = pageOf(
  'watchId',
  (id) => ({
    title: ({ watch }) => watchName(watch),
    back: [pageAt('/console/watches'), 'Watches'],
    load: (signal) => readWatch(id, signal),
    keys: [id, filterOf('_older')],
    isLive: true,
    state: ({ watch }) => <StatePill watch={watch} />,
    actions: ({ watch }, reload) => <Acts watch={watch} reload={reload} />,
  }),
  ShownWatch,
);
