import type { Watch, WatchCheck, WatchDeliveries, WatchHistory } from '../../contract/account/watch-schemas.ts';
import { send } from '../app/api.ts';
import { operationIcon, operationName, workbenchAt } from '../app/operations.ts';
import { at, go } from '../app/place.ts';
import { Chart } from '../charts/chart.tsx';
import { Act } from '../parts/act.tsx';
import { Card, Choices, ListRow, Pill, Stats } from '../parts/card.tsx';
import { Button, LinkButton } from '../parts/controls.tsx';
import { download } from '../parts/files.ts';
import { filterOf, setFilters } from '../parts/filters.tsx';
import { capital, number, plural, short } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { Facts } from '../parts/stated.tsx';
import { shortTime, Time } from '../parts/time.tsx';
import { CHANGE_COLUMNS, fieldName, readChanges } from './changes.tsx';
import { askedOf, askWatch, EVERY_WORDS, priceOf, reasonOf, settingsIn, watchName, watchPath } from './watch.ts';
import { Budget, StatePill, WatchActs } from './watches.tsx';

type Check = WatchHistory['checks'][number];
const CHECKS = 100;
const MOST_LINES = 5;
const MOST_ROWS = 10;
const RANK = /rank$|position$/i;

async function read(id: string, signal: AbortSignal) {
  const [watch, history, changes] = await Promise.all([
    askWatch<Watch>(id, { signal }),
    askWatch<WatchHistory>(id, { query: { limit: CHECKS, after: filterOf('_after') }, signal }, '/history'),
    readChanges(id, signal),
  ]);
  const { deliveries } = watch.webhook
    ? await askWatch<WatchDeliveries>(id, { query: { limit: MOST_ROWS }, signal }, '/deliveries')
    : { deliveries: [] };
  return { watch, history, changes, deliveries };
}
type Read = Awaited<ReturnType<typeof read>>;

/** Entries that a field of the watch names, such as the site of `organic[example.com].rank`; else all, those of the newest check first. */
function keysOf({ fields }: Watch, checks: readonly Check[], field: string): readonly (string | null)[] {
  const keys = new Set(checks.flatMap(({ series }) => series.flatMap((point) => (point.field === field ? [point.key] : []))));
  const entries = fields?.flatMap((one) => /\[(.+)\]/.exec(typeof one === 'string' ? one : one.path)?.[1] ?? []) ?? [];
  const named = [...keys].filter((key) => entries.some((entry) => key?.includes(entry)));
  return (named.length ? named : [...keys]).slice(0, MOST_LINES);
}

/** The numbers of the checks; a check without an answer is a gap. Nothing where the operation has no numbers. */
function Course({ watch, checks }: { watch: Watch; checks: readonly Check[] }) {
  const fields = [...new Set(checks.flatMap(({ series }) => series.map(({ field }) => field)))];
  const field =
    fields.find((each) => each === filterOf('_series')) ?? fields.find((each) => each.includes('.') && RANK.test(each)) ?? fields[0];
  if (field === undefined) return null;
  const isRank = RANK.test(field);
  const inOrder = checks.toReversed();
  const series = keysOf(watch, checks, field).map((key) => ({
    name: key ?? fieldName(field),
    values: inOrder.map((check) => check.series.find((point) => point.field === field && point.key === key)?.value ?? null),
  }));
  const title = `${fieldName(field)} by check`;
  return (
    <Card title={title} aside={<span class="caption">{isRank && '1 is the top · '}a gap is a check without this number</span>}>
      {fields.length > 1 && (
        <div class="toolbar">
          <Choices
            legend="Number"
            choices={fields.map((each) => [each, fieldName(each)])}
            value={field}
            choose={(_series) => setFilters({ _series, _after: filterOf('_after') })}
          />
        </div>
      )}
      <Chart
        title={title}
        form="lines"
        isRank={isRank}
        isCount={series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))}
        places={inOrder.map((check) => check.at)}
        label={shortTime}
        format={(value) => (value < 10_000 ? number(value) : short(value))}
        series={series}
      />
    </Card>
  );
}

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
              run={async () => {
                await askWatch(watchId, { method: 'POST' }, `/deliveries/${encodeURIComponent(cursor)}/repeat`);
              }}
              done={reload}
            />
          </ListRow>
        ))}
      </ul>
    </Card>
  );
}

const EXPORTS = { csv: ['CSV', 'text/csv'], ndjson: ['NDJSON', 'application/x-ndjson'] } as const;
async function save(id: string, format: keyof typeof EXPORTS): Promise<void> {
  const response = await send(`${watchPath(id)}/history`, { query: { format } });
  if (response.ok) download(`${id}.${format}`, EXPORTS[format][1], await response.text());
}

function Shown({ data: { watch, history, changes, deliveries }, reload }: { data: Read; reload: () => Promise<void> }) {
  const { watchId, operation, parameters, every, nextAt, paused, costPerMonth, lastChangeAt } = watch;
  const { checks, after } = history;
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
          ['Last change', lastChangeAt ? shortTime(lastChangeAt) : 'none', `${plural(changes.length, 'entry', 'entries')} in the feed`],
          ['Last check', capital(watch.lastCheck?.outcome ?? 'none'), watch.lastCheck && <Time at={watch.lastCheck.at} />],
          ['Checks', number(checks.length), `${count('failed')} failed, ${count('skipped')} skipped`],
          ['Credits this month', <Budget key="budget" watch={watch} />, `${number(costPerMonth)} at most at this interval`],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Course watch={watch} checks={checks} />
          <Card title="Changes" aside={changes.length > MOST_ROWS && <a href={at(`/console/changes?_watch=${watchId}`)}>All changes</a>}>
            <Grid
              caption="Changes"
              isExcerpt
              columns={CHANGE_COLUMNS}
              keys={[changes]}
              keyOf={(c) => c.id}
              load={() => changes.slice(0, MOST_ROWS)}
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
          <Card title="History" aside={<span class="caption">{`${checks.length} checks here`}</span>}>
            <p class="actions">
              {(['csv', 'ndjson'] as const).map((format) => (
                <Button key={format} icon="download" text={EXPORTS[format][0]} onClick={() => void save(watchId, format)} />
              ))}
              {after !== null && <Button text="Older checks" onClick={() => setFilters({ _after: after })} />}
            </p>
          </Card>
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
