import type { AccountRequests, AccountUsage } from '../../contract/account/schemas.ts';
import type { Watch } from '../../contract/account/watch-schemas.ts';
import { api } from '../app/api.ts';
import { operationIcon, operationOf, watchAt } from '../app/operations.ts';
import { at } from '../app/place.ts';
import { credits, session } from '../app/session.ts';
import { Chart } from '../charts/chart.tsx';
import { Card, Empty, ListRow, type Stat, Stats } from '../parts/card.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { dayBefore, daysBetween } from '../parts/filters.tsx';
import { day, number, plural, share } from '../parts/format.ts';
import { LoadedPage } from '../parts/page.tsx';
import { shortDay, Time } from '../parts/time.tsx';
import { readWatches, sentenceOf, watchName } from '../watches/watch.ts';
import { ExampleRow, LookupRows } from '../workbench/start-view.tsx';
import { seriesOf } from './usage.tsx';

const WEEK = 7;
const MOST_CHANGES = 5;
/** Try-it rows of a home with past lookups; a new account gets the same. */
const TRY = ['serp', 'registration', 'app-reviews'];

const daysHere = () => daysBetween(dayBefore(WEEK - 1), dayBefore(0));

/** The lookups of the last seven days, and how many there were in the seven before. */
function weekOf({ days, timings }: Pick<AccountUsage, 'days' | 'timings'>, since: string) {
  const lookups = days.filter((d) => operationOf(d.operation));
  const week = lookups.filter((d) => d.day >= since);
  const requestsOf = (rows: typeof lookups): number => rows.reduce((sum, row) => sum + row.requests, 0);
  const timed = timings.filter((t) => t.day !== null && t.operation === null && t.day >= since);
  const measured = timed.reduce((sum, t) => sum + t.requests, 0);
  return {
    days: week,
    requests: requestsOf(week),
    before: requestsOf(lookups) - requestsOf(week),
    errors: requestsOf(week.filter((d) => d.status >= 400)),
    credits: week.reduce((sum, d) => sum + d.credits, 0),
    fromCache: measured === 0 ? null : timed.reduce((sum, t) => sum + t.cacheHits, 0) / measured,
  };
}

function figuresOf({ requests, before, errors, credits: charged, fromCache }: ReturnType<typeof weekOf>, left: number | null) {
  const aDay = Math.round(charged / WEEK);
  const daysLeft = left === null || aDay === 0 ? null : Math.floor(left / aDay);
  const growth = before === 0 ? null : requests / before - 1;
  const stats: Stat[] = [
    ['Balance', left === null ? '–' : number(left), 'credits'],
    ['Burn', `${number(aDay)} a day`, 'mean of 7 days'],
  ];
  if (daysLeft !== null) stats.push(['Lasts until', day(dayBefore(-daysLeft)), `about ${plural(daysLeft, 'day')}`]);
  stats.push(
    ['Requests, 7 days', number(requests), growth !== null && `${growth >= 0 ? '+' : ''}${share(growth)} on the week before`],
    ['Errors', requests === 0 ? '–' : share(errors / requests), `${number(errors)}, none charged`],
  );
  if (fromCache !== null) stats.push(['From the cache', share(fromCache), 'of lookups, free']);
  return stats;
}

function FirstSteps({ hasLookup, hasKeys }: { hasLookup: boolean; hasKeys: boolean }) {
  const steps = [
    ['Make a lookup', hasLookup, at('/console/w/serp')],
    ['Create a key for your program', hasKeys, at('/console/keys')],
  ] as const;
  const done = steps.filter(([, isDone]) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Card title="First steps" aside={<span class="about">{`${done} of ${steps.length}`}</span>}>
      <ul class="rows">
        {steps.map(([name, isDone, href]) => (
          <ListRow key={name} icon={isDone ? 'check' : 'right'} first={name} href={isDone ? undefined : href} />
        ))}
      </ul>
    </Card>
  );
}

const TryIt = () => (
  <section class="stack" aria-label="Try it">
    <h2>Try it</h2>
    <ul class="rows boxed">
      {TRY.flatMap((id) => operationOf(id) ?? []).map((operation) => (
        <ExampleRow key={operation.id} operation={operation} />
      ))}
    </ul>
  </section>
);

/** The watches that found something last; nothing without a watch that did. */
function LastChanges({ watches }: { watches: readonly Watch[] }) {
  const changed = watches
    .filter((w) => w.lastChange !== null)
    .sort((a, b) => String(b.lastChange?.at).localeCompare(String(a.lastChange?.at)));
  if (changed.length === 0) return null;
  return (
    <Card title="Last changes" aside={<a href={at('/console/changes')}>All changes</a>}>
      <ul class="rows">
        {changed.slice(0, MOST_CHANGES).map((w) => (
          <ListRow
            key={w.watchId}
            icon={operationIcon(w.operation)}
            href={watchAt(w.watchId)}
            first={watchName(w)}
            second={w.lastChange && sentenceOf(w.lastChange)}
          >
            {w.lastChange && <Time at={w.lastChange.at} />}
          </ListRow>
        ))}
      </ul>
    </Card>
  );
}

async function readHome(signal: AbortSignal) {
  const [usage, { requests }, keys, watches] = await Promise.all([
    api<AccountUsage>('/v1/account/usage', {
      query: { from: dayBefore(2 * WEEK - 1), to: dayBefore(0), limit: 10_000, include: 'timings' },
      signal,
    }),
    api<AccountRequests>('/v1/account/requests', { query: { limit: 8 }, signal }),
    session.value?.kind === 'account' ? api<readonly unknown[]>('/console/api/keys', { signal }) : [],
    readWatches(signal),
  ]);
  return {
    week: weekOf(usage, dayBefore(WEEK - 1)),
    requests: requests.filter(({ operation }) => operationOf(operation)),
    keys: keys.length,
    watches,
  };
}

export const Home = () => (
  <LoadedPage
    title="Home"
    load={readHome}
    keys={[at('')]}
    actions={<LinkButton class="primary" icon="plus" href={at('/console/w/serp')} text="New lookup" />}
  >
    {({ week, requests, keys, watches }) => (
      <>
        <Stats stats={figuresOf(week, credits.value)} />
        <div class="columns">
          <div class="stack">
            <Card title="Requests, last 7 days" aside={<a href={at('/console/usage')}>Usage</a>}>
              {week.requests > 0 && (
                <Chart
                  title="Requests by day"
                  places={daysHere()}
                  label={shortDay}
                  series={seriesOf(week.days, daysHere(), 'operation', 'requests')}
                />
              )}
            </Card>
            <LastChanges watches={watches} />
            <Card title="Last lookups" aside={<a href={at('/console/requests')}>All requests</a>}>
              {requests.length === 0 ? <Empty icon="search" title="No lookups yet" /> : <LookupRows requests={requests} />}
            </Card>
          </div>
          <aside class="stack" aria-label="Begin">
            <FirstSteps hasLookup={requests.length > 0} hasKeys={keys > 1} />
            <TryIt />
          </aside>
        </div>
      </>
    )}
  </LoadedPage>
);
