import { useSignal } from '@preact/signals';
import type { Watch, WatchCheck, WatchDeliveries, WatchHistory } from '../../contract/account/watch-schemas.ts';
import { received } from '../app/api.ts';
import { operationIcon, operationName, workbenchAt } from '../app/operations.ts';
import { at, go } from '../app/place.ts';
import { Act } from '../parts/act.tsx';
import { Card, ListRow, Pill, Stats } from '../parts/card.tsx';
import { Button, LinkButton } from '../parts/controls.tsx';
import { download } from '../parts/files.ts';
import { filterOf, setFilters } from '../parts/filters.tsx';
import { capital, number, plural } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { Problem, wordsOf } from '../parts/load.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { Facts } from '../parts/stated.tsx';
import { shortTime, Time } from '../parts/time.tsx';
import { CHANGE_COLUMNS, readChanges } from './changes.tsx';
import { type Check, Course } from './course.tsx';
import { askedOf, askWatch, EVERY_WORDS, priceOf, reasonOf, sentenceOf, settingsIn, watchName, watchPath } from './watch.ts';
import { Budget, StatePill, WatchActs } from './watches.tsx';

const CHECKS = 100;
const MOST_ROWS = 10;

async function read(id: string, signal: AbortSignal) {
  const [watch, history, changes] = await Promise.all([
    askWatch<Watch>(id, { signal }),
    askWatch<WatchHistory>(id, { query: { limit: CHECKS, after: filterOf('_after') }, signal }, '/history'),
    readChanges({ watch: id, limit: MOST_ROWS }, signal),
  ]);
  const { deliveries } = watch.webhook
    ? await askWatch<WatchDeliveries>(id, { query: { limit: MOST_ROWS }, signal }, '/deliveries')
    : { deliveries: [] };
  return { watch, history, changes, deliveries };
}
type Read = Awaited<ReturnType<typeof read>>;

const isMissed = ({ outcome }: WatchCheck): boolean => outcome === 'failed' || outcome === 'skipped';

function Missed({ checks }: { checks: readonly Check[] }) {
  const missed = checks.filter(isMissed);
  return (
    <Card title="Checks without an answer" aside={<span class="caption">{`${missed.length} of ${checks.length}`}</span>}>
      {missed.length === 0 ? (
        <p class="none">Every check here had an answer.</p>
      ) : (
        <ul class="rows">
          {missed.slice(0, MOST_ROWS).map((check) => (
            <ListRow
              key={check.at}
              icon={check.outcome === 'failed' ? 'close' : 'pause'}
              first={[capital(check.outcome), ' ', <Time key="at" at={check.at} />]}
              second={[reasonOf(check), check.outcome === 'failed' && ` (${check.code})`]}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Webhook({ watch: { watchId, webhook }, deliveries, reload }: Pick<Read, 'watch' | 'deliveries'> & { reload: () => unknown }) {
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
      {deliveries.length === 0 && <p class="none">No message was sent yet.</p>}
      <ul class="rows">
        {deliveries.map(({ cursor, kinds, createdAt, attempts, nextAt, deliveredAt, result }) => (
          <ListRow
            key={cursor}
            first={kinds.join(', ')}
            second={[<Time key="at" at={createdAt} />, ` · ${plural(attempts, 'attempt')}${result ? `, the last one: ${result}` : ''}`]}
          >
            {deliveredAt ? (
              <Pill tone="good" text="Taken" />
            ) : (
              <Pill tone={nextAt ? 'busy' : 'bad'} text={nextAt ? 'Waits' : 'Not taken'} />
            )}
            <Act
              name="Send again"
              of={`message ${cursor}`}
              style="quiet"
              says="The message is sent again under its id."
              run={() => askWatch(watchId, { method: 'POST' }, `/deliveries/${encodeURIComponent(cursor)}/repeat`)}
              done={reload}
            />
          </ListRow>
        ))}
      </ul>
    </Card>
  );
}

const EXPORTS = { CSV: 'text/csv', NDJSON: 'application/x-ndjson' };
/** The whole history as a file; beside it the page of older checks. */
function History({ id, checks, after }: { id: string } & Read['history']) {
  const failed = useSignal<string | null>(null);
  const save = async (format: string, type: string): Promise<void> => {
    try {
      const history = await received(`${watchPath(id)}/history`, { query: { format } });
      download(`${id}.${format}`, type, await history.text());
    } catch (error) {
      failed.value = wordsOf(error);
    }
  };
  return (
    <Card title="History" aside={<span class="caption">{`${checks.length} checks here`}</span>}>
      <p class="actions">
        {Object.entries(EXPORTS).map(([name, type]) => (
          <Button key={name} icon="download" text={name} onClick={() => void save(name.toLowerCase(), type)} />
        ))}
        <LinkButton icon="list" href={at(`/console/requests?_label=${id}&_range=30d`)} text="Requests" />
        {after !== null && <Button text="Older checks" onClick={() => setFilters({ _after: after })} />}
      </p>
      {failed.value && <Problem words={failed.value} />}
    </Card>
  );
}

function Shown({ data: { watch, history, changes, deliveries }, reload }: { data: Read; reload: () => Promise<void> }) {
  const { watchId, operation, parameters, every, nextAt, paused, costPerMonth, lastChange } = watch;
  const { checks } = history;
  const price = priceOf(watch);
  const count = (outcome: string): number => checks.filter((check) => check.outcome === outcome).length;
  return (
    <>
      <header class="lead">
        <p class="caption grow">
          {operationName(operation)} · {EVERY_WORDS[every]}
          {!paused && [' · next ', <Time key="next" at={nextAt} />]}
        </p>
        <StatePill watch={watch} />
        <LinkButton icon={operationIcon(operation)} href={workbenchAt(operation, parameters)} text="Open in Workbench" />
        <Act
          name="Change"
          of={watchName(watch)}
          confirm="Save"
          ask={askedOf(price, watch)}
          run={async (form) => {
            const { webhook } = await askWatch<Watch>(watchId, { method: 'PATCH', body: settingsIn(form, price, watch) });
            return webhook?.secret ? { secret: webhook.secret } : undefined;
          }}
          done={reload}
        />
        <WatchActs watch={watch} done={reload} removed={() => go(at('/console/watches'))} />
      </header>
      <Stats
        stats={[
          ['Last change', lastChange ? shortTime(lastChange.at) : 'none', lastChange && sentenceOf(lastChange)],
          ['Last check', capital(watch.lastCheck?.outcome ?? 'none'), watch.lastCheck && <Time at={watch.lastCheck.at} />],
          ['Checks', number(checks.length), `${count('failed')} failed, ${count('skipped')} skipped`],
          ['Credits this month', <Budget key="budget" watch={watch} />, `${number(costPerMonth)} at most at this interval`],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Course watch={watch} checks={checks} />
          <Card title="Changes" aside={changes.hasMore && <a href={at(`/console/changes?_watch=${watchId}`)}>All changes</a>}>
            <Grid
              caption="Changes"
              isExcerpt
              columns={CHANGE_COLUMNS}
              keys={[changes]}
              keyOf={(c) => c.id}
              load={() => changes.changes}
              empty={<p class="none">{checks.length === 0 ? 'No check yet.' : 'No change yet.'}</p>}
            />
          </Card>
        </div>
        <div class="stack">
          <Missed checks={checks} />
          <Webhook watch={watch} deliveries={deliveries} reload={reload} />
          <Card title="Lookup">
            <Facts facts={Object.entries(parameters)} />
          </Card>
          <History id={watchId} {...history} />
        </div>
      </div>
    </>
  );
}

export const WatchPage = ({ params: { watchId = '' } }: { params: Readonly<Record<string, string>> }) => (
  <LoadedPage
    title={({ watch }: Read) => watchName(watch)}
    back={[at('/console/watches'), 'All watches']}
    load={(signal) => read(watchId, signal)}
    keys={[watchId, filterOf('_after')]}
    isLive
  >
    {(data, reload) => <Shown data={data} reload={reload} />}
  </LoadedPage>
);
