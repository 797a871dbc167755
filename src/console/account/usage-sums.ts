import type { AccountUsage } from '../../contract/account/schemas.ts';
import { operationName } from '../app/operations.ts';
import { type ApiRequest, api, contract } from '../app/session.ts';
import type { Series } from '../charts/chart.tsx';

export type Day = AccountUsage['days'][number];
export type Group = 'operation' | 'keyId';
export const MEASURES = ['requests', 'credits', 'errors'] as const;
export type Measure = (typeof MEASURES)[number];
export type Sums = Readonly<Record<Measure, number>>;
export type GroupSum = Sums & { readonly name: string };
const SHOWN = 3;

const sumOf = (days: readonly Day[], measure: Measure): number =>
  days.reduce((sum, day) => sum + (measure !== 'errors' ? day[measure] : day.status >= 400 ? day.requests : 0), 0);
export const sumsOf = (days: readonly Day[]): Sums =>
  Object.fromEntries(MEASURES.map((measure) => [measure, sumOf(days, measure)])) as Sums;

export const byGroup = (days: readonly Day[], group: Group, measure: Measure): readonly GroupSum[] =>
  [...Map.groupBy(days, (day) => day[group])]
    .map(([name, of]) => ({ name, ...sumsOf(of) }))
    .sort((a, b) => b[measure] - a[measure] || a.name.localeCompare(b.name));

/** The measure by day: the largest groups, the others in one, and errors on top of requests. */
export function seriesOf(
  days: readonly Day[],
  places: readonly string[],
  group: Group,
  measure: Measure,
  nameOf: (id: string) => string = operationName,
): readonly Series[] {
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
    ...names.slice(0, SHOWN).map((name) => series(nameOf(name), ofGroups([name]))),
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
