import type { AccountUsage } from '../../contract/account/schemas.ts';
import { operationName } from '../app/operations.ts';
import { type ApiRequest, api, contract } from '../app/session.ts';
import { Chart, type Series } from '../charts/chart.tsx';
import { Card, Meter, type Stat, Stats } from '../parts/display.tsx';
import { ChoiceFilter, daysBetween, Filters, filterOf, Ranges, rangeOf, setFilters } from '../parts/filters.tsx';
import { capital, duration, number, share, shortDay } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { Page, Show, useLoaded } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';

type Day = AccountUsage['days'][number];
type Timing = AccountUsage['timings'][number];
type Group = 'operation' | 'keyId';
const GROUPS = Object.entries({ '': 'By operation', key: 'By key' });
const MEASURES = ['requests', 'credits', 'errors'] as const;
type Measure = (typeof MEASURES)[number];
type Sums = Readonly<Record<Measure, number>>;
type GroupSum = Sums & { readonly name: string };
const SHOWN = 3;

const sumOf = (days: readonly Day[], measure: Measure): number =>
  days.reduce((sum, day) => sum + (measure !== 'errors' ? day[measure] : day.status >= 400 ? day.requests : 0), 0);
export const sumsOf = (days: readonly Day[]): Sums =>
  Object.fromEntries(MEASURES.map((measure) => [measure, sumOf(days, measure)])) as Sums;

const byGroup = (days: readonly Day[], group: Group, measure: Measure): readonly GroupSum[] =>
  [...Map.groupBy(days, (day) => day[group])]
    .map(([name, of]) => ({ name, ...sumsOf(of) }))
    .sort((a, b) => b[measure] - a[measure] || a.name.localeCompare(b.name));

/** The measure by day: the largest groups, the others in one, and errors on top of requests. */
export function seriesOf(days: readonly Day[], places: readonly string[], group: Group, measure: Measure): readonly Series[] {
  const isError = ({ status }: Day): boolean => measure === 'requests' && status >= 400;
  const errors = days.filter(isError);
  const counted = days.filter((day) => !isError(day));
  const names = byGroup(counted, group, measure).flatMap((each) => (each[measure] > 0 ? [each.name] : []));
  const others = names.slice(SHOWN);
  const series = (name: string, of: readonly Day[]): Series => {
    const found = Map.groupBy(of, ({ day }) => day);
    return { name, values: places.map((day) => sumOf(found.get(day) ?? [], measure)) };
  };
  const ofGroups = (some: readonly string[]): readonly Day[] => counted.filter((day) => some.includes(day[group]));
  return [
    ...names.slice(0, SHOWN).map((name) => series(group === 'operation' ? operationName(name) : name, ofGroups([name]))),
    ...(others.length ? [series(`${others.length} others`, ofGroups(others))] : []),
    ...(errors.length ? [{ ...series('Errors', errors), isError: true }] : []),
  ];
}

/** Requests to account endpoints are free and no lookups. */
export async function readUsage(from: string, to: string, signal: AbortSignal): Promise<Pick<AccountUsage, 'days' | 'timings'>> {
  const lookups = new Set(contract.value?.operations.map(({ id }) => id));
  const read = (query: ApiRequest['query']): Promise<AccountUsage> =>
    api('/v1/account/usage', { query: { from, to, limit: 10_000, ...query }, signal });
  const first = await read({ include: 'timings' });
  const days = [...first.days];
  for (let { after } = first; after !== null; ) {
    const next = await read({ after });
    days.push(...next.days);
    after = next.after;
  }
  return { days: days.filter(({ operation }) => lookups.has(operation)), timings: first.timings };
}

function figuresOf(days: readonly Day[], timing: Timing | undefined, chosen: Measure, length: number): readonly (Stat | false)[] {
  const { requests, credits, errors } = sumsOf(days);
  const choice = (id: Measure) => ({ isChosen: chosen === id, choose: () => setFilters({ _show: id === 'requests' ? '' : id }) });
  const { cacheHits = 0, requests: timed = 0, medianMs = 0, p95Ms = 0 } = timing ?? {};
  return [
    ['Requests', number(requests), `${number(Math.round(requests / length))} a day`, choice('requests')],
    ['Credits', number(credits), `${number(Math.round(credits / length))} a day`, choice('credits')],
    ['Errors', requests ? share(errors / requests) : '–', `${number(errors)}, none charged`, choice('errors')],
    timed > 0 && ['Cache hits', share(cacheHits / timed), `${number(cacheHits)} free answers`],
    timed > 0 && ['Median · p95', duration(medianMs), `p95 ${duration(p95Ms)}, last ${number(timed)} lookups`],
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
  if (group === 'keyId') return [{ id: 'name', name: 'Key', value: (g) => g.name }, ...sums];
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
  const { loaded } = useLoaded((signal) => readUsage(from, to, signal), [from, to]);
  const places = daysBetween(from, to);
  const title = `${capital(measure)} by day`;
  return (
    <Page title="Usage">
      <div class="toolbar">
        <Ranges names={['7d', '30d', '90d']} usual="30d" />
        <ChoiceFilter id="_group" name="Group by" choices={GROUPS} />
        <Filters filters={['_key']} />
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
                <Chart title={title} places={places} label={shortDay} series={seriesOf(days, places, group, measure)} />
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
