import { ALWAYS, rankOfFree } from '../../contract/admin/source-words.ts';
import type { OperationWays } from '../../contract/contract-view.ts';
import { day } from '../parts/format.ts';
import { api } from './session.ts';

const list = new Intl.ListFormat('en', { type: 'disjunction' });

/** Sources that a key alone switches on and whose provider gives something free. */
export const freeWays = ({ sources }: Pick<OperationWays, 'sources'>) =>
  sources
    .flatMap((source) => (source.byKey && source.free !== null && source.free !== ALWAYS ? [{ ...source, free: source.free }] : []))
    .sort((a, b) => rankOfFree(a.free) - rankOfFree(b.free));
/** So many of them are named. */
export const MOST_FREE = 4;

/** How an operation is switched on: with what is free, else by the settings that each of its sources lacks. And what to know before that. */
function cureOf({ sources }: OperationWays): string {
  return [wayOn(sources), ...new Set(sources.flatMap(({ offBecause }) => offBecause ?? []))].join(' ');
}

function wayOn(sources: OperationWays['sources']): string {
  const free = freeWays({ sources });
  if (free.length > 0) {
    const named = free.slice(0, MOST_FREE).map((one) => `${one.provider} (${one.free})`);
    return `Free with a key of ${list.format(named)}.`;
  }
  const ways = sources.flatMap(({ lacking, endsOn }) =>
    lacking.length === 0 ? [] : `${lacking.join(' and ')}${endsOn === null ? '' : `, whose interface ends on ${day(endsOn)}`}`,
  );
  return ways.length === 0 ? 'No source of this version answers it.' : `Needs ${list.format([...new Set(ways)])}.`;
}

export type Ways = readonly (OperationWays & { readonly cure: string })[];

/** Which operations answer here, and how the others are switched on. */
export async function readWays(signal: AbortSignal): Promise<Ways> {
  const { operations } = await api<{ operations: readonly OperationWays[] }>('/console/api/ways', { signal });
  return operations.map((each) => ({ ...each, cure: cureOf(each) }));
}
