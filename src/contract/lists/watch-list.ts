import type { Watch, Watches } from '../account/watch-schemas.ts';
import type { Operation } from '../operations/index.ts';
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
  readonly reason: 'repeated' | 'watched';
}

/** The same for every notation of a lookup; null: this version refuses it. */
function lookupKey({ readInput }: Operation, parameters: Readonly<Record<string, string>>): string | null {
  const input = readInput(Object.entries(parameters));
  return input.ok ? JSON.stringify(input.value) : null;
}

/** The watches of a list: lines that repeat another one or are watched already are left out. */
export function watchesOf(
  { lookups, read, carried }: Pick<Plan, 'lookups' | 'read' | 'carried'>,
  operation: Operation,
  watches: readonly Pick<Watch, 'operation' | 'parameters' | 'watchId'>[],
): { readonly planned: readonly PlannedWatch[]; readonly leftOut: readonly LeftOut[] } {
  const own = watches.filter((watch) => watch.operation === operation.id);
  const watched = new Map(own.map(({ parameters, watchId }) => [lookupKey(operation, parameters), watchId]));
  const leftOut: LeftOut[] = [];
  const planned = lookups.flatMap((lookup): PlannedWatch[] => {
    const { line, units, first } = lookup;
    const leave = (reason: LeftOut['reason'], why: string): PlannedWatch[] => {
      leftOut.push({ line, why, reason });
      return [];
    };
    const { texts, input, understood } = read(lookup);
    const values: Readonly<Record<string, unknown>> = { ...input };
    const named = Object.entries(texts).filter(([name]) => !carried.includes(name) && name !== 'operation');
    // as the lookup reads it: the service accepts no addresses in place of names
    const parameters = Object.fromEntries(named.map(([name, text]) => [name, typeof values[name] === 'string' ? values[name] : text]));
    // as it was written; of an address what the lookup reads in it
    const said = named.map(([name, text]) => (understood.some((one) => one.name === name) ? parameters[name] : text.trim()));
    if (first) return leave('repeated', `${said.join(', ')} is in line ${first.line} already`);
    const known = watched.get(lookupKey(operation, parameters));
    return known === undefined ? [{ line, units, parameters }] : leave('watched', `is watched already: ${known}`);
  });
  return { planned, leftOut };
}

/** Why so many watches cannot be made; null: they can. */
export function tooMany(count: number, { most, total }: Pick<Watches, 'most' | 'total'>): string | null {
  if (count <= most - total) return null;
  return `${count} watches are more than the ${Math.max(0, most - total)} that the account may still have: ${most} in all (SIGHTLINE_WATCHES_PER_ACCOUNT of the service). Nothing was made.`;
}
