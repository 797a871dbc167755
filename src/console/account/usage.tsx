import type { AccountUsage } from '../../contract/account/schemas.ts';
import { operationName } from '../app/operations.ts';
import { Chart } from '../charts/chart.tsx';
import { Card, Meter } from '../parts/display.tsx';
import { ChoiceFilter, daysBetween, Filters, filterOf, Ranges, rangeOf, setFilters } from '../parts/filters.tsx';
import { capital, duration, number, perDay, plural, share, shortDay } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { Page, Show, useLoaded } from '../parts/page.tsx';
import { type Stat, Stats } from '../parts/stats.tsx';
import type { Column } from '../parts/table.tsx';
import { KeyName, keyFilter, keyName, readKeyNames } from './key-names.tsx';
import { byGroup, type Day, type Group, type GroupSum, MEASURES, type Measure, readUsage, seriesOf, sumsOf } from './usage-sums.ts';

type Timing = AccountUsage['timings'][number];
const GROUPS = Object.entries({ '': 'By operation', key: 'By key' });

function figuresOf(days: readonly Day[], timing: Timing | undefined, chosen: Measure, length: number): readonly (Stat | false)[] {
  const { requests, credits, errors } = sumsOf(days);
  const choice = (id: Measure) => ({ isChosen: chosen === id, choose: () => setFilters({ _show: id === 'requests' ? '' : id }) });
  const { cacheHits = 0, requests: timed = 0, medianMs = 0, p95Ms = 0 } = timing ?? {};
  return [
    ['Requests', number(requests), requests === 0 ? 'none in these days' : `${perDay(requests / length)} a day`, choice('requests')],
    ['Credits', number(credits), `${perDay(credits / length)} a day`, choice('credits')],
    ['Errors', requests ? share(errors / requests) : '–', `${number(errors)}, none charged`, choice('errors')],
    timed > 0 && ['Cache hits', share(cacheHits / timed), `${number(cacheHits)} free answers`],
    timed > 0 && ['Median · p95', duration(medianMs), `p95 ${duration(p95Ms)}, last ${plural(timed, 'lookup')}`],
  ];
}

function columnsOf(timings: readonly Timing[], group: Group, highest: number): readonly Column<GroupSum>[] {
  const of = ({ name }: GroupSum): Timing | undefined => timings.find((t) => t.operation === name);
  const shareOf = ({ credits }: GroupSum): number => (highest ? credits / highest : 0);
  const sums: readonly Column<GroupSum>[] = [
    { id: 'share', name: 'Share of credits', value: shareOf, of: (g) => <Meter share={shareOf(g)} /> },
    { id: 'credits', name: 'Credits', as: 'number', value: (g) => g.credits },
    { id: 'requests', name: 'Requests', as: 'number', value: (g) => g.requests },
    { id: 'errors', name: 'Errors', as: 'number', value: (g) => g.errors },
  ];
  if (group === 'keyId') return [{ id: 'name', name: 'Key', value: (g) => keyName(g.name), of: (g) => <KeyName id={g.name} /> }, ...sums];
  return [
    { id: 'name', name: 'Operation', value: (g) => operationName(g.name) },
    ...sums,
    { id: 'hits', name: 'Cache hits', as: 'number', value: (g) => of(g)?.cacheHits ?? null },
    { id: 'median', name: 'Median', as: 'duration', value: (g) => of(g)?.medianMs ?? null },
    { id: 'p95', name: 'p95', as: 'duration', value: (g) => of(g)?.p95Ms ?? null },
  ];
}

export function Usage() {
  const { from, to } = rangeOf('30d');
  const measure = MEASURES.find((each) => each === filterOf('_show')) ?? 'requests';
  const group = filterOf('_group') === 'key' ? 'keyId' : 'operation';
  const key = filterOf('_key');
  const read = async (signal: AbortSignal) => {
    const usage = await readUsage(from, to, signal);
    await readKeyNames(usage.days, signal);
    return usage;
  };
  const { loaded } = useLoaded(read, [from, to]);
  const places = daysBetween(from, to);
  const title = `${capital(measure)} by day`;
  return (
    <Page title="Usage">
      <div class="toolbar filters">
        <Ranges names={['7d', '30d', '90d']} usual="30d" />
        <ChoiceFilter id="_group" name="Group by" choices={GROUPS} />
        <Filters filters={[keyFilter()]} />
      </div>
      <Show loaded={loaded}>
        {({ days: all, timings }) => {
          const days = key ? all.filter(({ keyId }) => keyId === key) : all;
          const sums = byGroup(days, group, 'credits');
          const timing = key ? undefined : timings.find((t) => t.day === null && t.operation === null);
          return (
            <>
              <Stats stats={figuresOf(days, timing, measure, places.length)} />
              <Card title={title}>
                <Chart
                  title={title}
                  places={places}
                  label={shortDay}
                  series={seriesOf(days, places, group, measure, group === 'keyId' ? keyName : undefined)}
                />
              </Card>
              <Grid
                caption={group === 'operation' ? 'Usage by operation' : 'Usage by key'}
                columns={columnsOf(timings, group, sums[0]?.credits ?? 0)}
                keyOf={(g) => g.name}
                rows={sums}
                icon="bars"
                none="No requests in these days"
              />
            </>
          );
        }}
      </Show>
    </Page>
  );
}
