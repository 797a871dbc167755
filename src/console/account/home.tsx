import { signal } from '@preact/signals';
import type { AccountRequests } from '../../contract/account/schemas.ts';
import type { Watch } from '../../contract/account/watch-schemas.ts';
import { operationIcon, operationOf, watchAt, workbenchAt } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { api, credits, session } from '../app/session.ts';
import { readWays, type Ways } from '../app/ways.ts';
import { Chart } from '../charts/chart.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { Card, Rows, Time } from '../parts/display.tsx';
import { dayBefore, daysBetween } from '../parts/filters.tsx';
import { day, lasting, number, perDay, share, shortDay } from '../parts/format.ts';
import { LoadedPage, later } from '../parts/page.tsx';
import { type Stat, Stats } from '../parts/stats.tsx';
import { sentenceOf } from '../watches/change-words.ts';
import { readWatches, watchName } from '../watches/watch.tsx';
import { exampleRow, lookupRow, usePrices } from '../workbench/lookup-rows.tsx';
import { readUsage, seriesOf, sumsOf } from './usage-sums.ts';

const WEEK = 7;
const MOST_CHANGES = 5;
/** The examples of these are shown first. */
const TRY = ['serp', 'registration', 'traffic', 'app-reviews', 'app'];
const MOST_EXAMPLES = 5;
/** Up to so many requests what can be done here comes before what was done. */
const FIRST_REQUESTS = 20;
const inOrder = (ways: Ways): Ways => [...new Set([...TRY.flatMap((id) => ways.find((way) => way.id === id) ?? []), ...ways])];
/** The operation with which a lookup begins: one that answers now. */
const begin = signal('serp');

/** The lookups of the last seven days, and how many there were in the seven before. */
function weekOf({ days, timings }: Awaited<ReturnType<typeof readUsage>>, since: string) {
  const week = days.filter((d) => d.day >= since);
  const timed = timings.filter((t) => t.day !== null && t.operation === null && t.day >= since);
  const sum = (of: 'requests' | 'cacheHits'): number => timed.reduce((all, t) => all + t[of], 0);
  const fromCache = sum('requests') === 0 ? null : sum('cacheHits') / sum('requests');
  return { days: week, ...sumsOf(week), before: sumsOf(days.filter((d) => d.day < since)).requests, fromCache };
}

/** Credits of a mean day, and how many such days are left; null: not known. */
function burnOf({ credits: charged }: ReturnType<typeof weekOf>, left: number | null) {
  const mean = charged / WEEK;
  const aDay = Math.round(mean);
  return { burn: perDay(mean), daysLeft: left === null || aDay === 0 ? null : Math.floor(left / aDay) };
}

function figuresOf(week: ReturnType<typeof weekOf>, left: number | null) {
  const { requests, before, errors, fromCache } = week;
  const { burn, daysLeft } = burnOf(week, left);
  const growth = before === 0 ? null : requests / before - 1;
  const stats: readonly (Stat | false)[] = [
    ['Balance', left === null ? '–' : number(left), 'credits'],
    ['Burn', `${burn} a day`, requests === 0 ? 'no lookups yet' : 'mean of 7 days'],
    daysLeft !== null &&
      (daysLeft > 365
        ? ['Lasts', lasting(daysLeft), 'at this rate']
        : ['Lasts until', day(dayBefore(-daysLeft)), `about ${lasting(daysLeft)}`]),
    ['Requests, 7 days', number(requests), growth !== null && `${growth >= 0 ? '+' : ''}${share(growth)} on the week before`],
    ['Errors', requests === 0 ? '–' : share(errors / requests), `${number(errors)}, none charged`],
    fromCache !== null && ['From the cache', share(fromCache), 'of lookups, free'],
  ];
  return stats;
}

/** Lookups that answer now, with what each costs now: what is cached is free. */
function Examples({ ways }: { ways: Ways }) {
  const offered = inOrder(ways)
    .flatMap(({ id, ready, example }) => {
      const operation = operationOf(id);
      return ready && operation && example ? [{ operation, example }] : [];
    })
    .slice(0, MOST_EXAMPLES);
  usePrices(offered.map(({ operation, example }) => [operation.id, example]));
  if (offered.length === 0) return null;
  return (
    <section class="stack" aria-label="Try it">
      <h2>Try it</h2>
      <Rows boxed rows={offered.map(({ operation, example }) => exampleRow(operation, example))} />
    </section>
  );
}

const Gaps = later(async () => (await import('./gaps.tsx')).Gaps);
const FirstDay = later(async () => (await import('./first-day.tsx')).FirstDay);

function LastChanges({ watches }: { watches: readonly Watch[] }) {
  const changed = watches
    .flatMap((w) => (w.lastChange ? [{ ...w, last: w.lastChange }] : []))
    .sort((a, b) => b.last.at.localeCompare(a.last.at))
    .slice(0, MOST_CHANGES)
    .map((w) => ({
      ...{ id: w.watchId, icon: operationIcon(w.operation), href: watchAt(w.watchId), first: watchName(w) },
      ...{ second: sentenceOf(w.last), aside: <Time at={w.last.at} /> },
    }));
  return <Card title="Last changes" aside={<a href={pageAt('/console/changes')}>All changes</a>} rows={changed} />;
}

async function readHome(signal: AbortSignal) {
  const [usage, { requests }, keys, watches, ways] = await Promise.all([
    readUsage(dayBefore(2 * WEEK - 1), dayBefore(0), signal),
    api<AccountRequests>('/v1/account/requests', { query: { limit: 8 }, signal }),
    session.value?.kind === 'account' ? api<readonly unknown[]>('/console/api/keys', { signal }) : [],
    readWatches(signal),
    readWays(signal),
  ]);
  const lookups = requests.filter(({ operation }) => operationOf(operation));
  const since = dayBefore(WEEK - 1);
  if (weekOf(usage, since).requests < FIRST_REQUESTS) await FirstDay.fetch();
  begin.value = inOrder(ways).find(({ ready }) => ready)?.id ?? begin.value;
  return { days: daysBetween(since, dayBefore(0)), week: weekOf(usage, since), requests: lookups, keys: keys.length, watches, ways };
}

const NewLookup = () => <LinkButton class="primary" icon="plus" href={workbenchAt(begin.value)} text="New lookup" />;

export const Home = () => (
  <LoadedPage title="Home" load={readHome} keys={[pageAt('')]} actions={<NewLookup />}>
    {({ days, week, requests, keys, watches, ways }) => {
      const past = (
        <>
          <Card title="Requests, last 7 days" aside={<a href={pageAt('/console/usage')}>Usage</a>}>
            {week.requests > 0 && (
              <Chart title="Requests by day" places={days} label={shortDay} series={seriesOf(week.days, days, 'operation', 'requests')} />
            )}
          </Card>
          <LastChanges watches={watches} />
          <Card title="Last lookups" aside={<a href={pageAt('/console/requests')}>All requests</a>} rows={requests.map(lookupRow)} />
        </>
      );
      if (week.requests < FIRST_REQUESTS) {
        const { burn, daysLeft } = burnOf(week, credits.value);
        const done = { key: keys > 0, lookup: requests.length > 0, watch: watches.length > 0 };
        const facts = {
          Balance: credits.value === null ? null : number(credits.value),
          'A day': week.requests === 0 ? 'no lookups yet' : burn,
          Lasts: daysLeft === null ? 'known after the first day' : lasting(daysLeft),
        };
        return (
          <FirstDay ways={inOrder(ways)} done={done} begin={begin.value} credits={facts}>
            {past}
          </FirstDay>
        );
      }
      return (
        <>
          <Stats stats={figuresOf(week, credits.value)} />
          <div class="columns">
            <div class="stack">{past}</div>
            <aside class="stack" aria-label="Begin">
              <Examples ways={ways} />
              {ways.some(({ ready }) => !ready) && <Gaps ways={ways} />}
            </aside>
          </div>
        </>
      );
    }}
  </LoadedPage>
);
