import type { Watch, Watches } from '../contract/account/watch-schemas.ts';
import type { Plan } from './input.ts';

/** A line that becomes a watch. */
export interface PlannedWatch {
  readonly line: number;
  readonly units: number;
  readonly parameters: Readonly<Record<string, string>>;
}
/** A line that does not, and why. */
export interface LeftOut {
  readonly line: number;
  readonly why: string;
}

const lookupKey = (operation: string, parameters: Readonly<Record<string, string>>): string =>
  `${operation} ${JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

/** The watches of a list: lines that repeat another one or are watched already are left out. */
export function watchesOf(
  { lookups, read, carried }: Pick<Plan, 'lookups' | 'read' | 'carried'>,
  operation: string,
  watches: readonly Pick<Watch, 'operation' | 'parameters' | 'watchId'>[],
): { readonly planned: readonly PlannedWatch[]; readonly leftOut: readonly LeftOut[] } {
  const watched = new Map(watches.map((watch) => [lookupKey(watch.operation, watch.parameters), watch.watchId]));
  const leftOut: LeftOut[] = [];
  const planned = lookups.flatMap((lookup): PlannedWatch[] => {
    const { line, units, first } = lookup;
    const leave = (why: string): PlannedWatch[] => {
      leftOut.push({ line, why });
      return [];
    };
    if (first) return leave(`repeats line ${first.line}`);
    const { texts } = read(lookup);
    const parameters = Object.fromEntries(Object.entries(texts).filter(([name]) => !carried.includes(name)));
    const known = watched.get(lookupKey(operation, parameters));
    return known === undefined ? [{ line, units, parameters }] : leave(`is watched already: ${known}`);
  });
  return { planned, leftOut };
}

/** Why so many watches cannot be made; null: they can. */
export function tooMany(count: number, { most, total }: Pick<Watches, 'most' | 'total'>): string | null {
  if (count <= most - total) return null;
  return `${count} watches are more than the ${most - total} that the account may still have: ${most} in all (SIGHTLINE_WATCHES_PER_ACCOUNT of the service). Nothing was made.`;
}
