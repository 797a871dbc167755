import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Understood } from '../../contract/parameters/pasted.ts';
import type { InputLine, InputReader } from './input.ts';

/** A line that is no lookup. */
export interface BadLine {
  readonly line: number;
  readonly why: string;
}

/** The checked input: lookups are named by their index, 0 to `size` - 1. Only places and numbers are in memory. */
export interface Plan {
  readonly size: number;
  /** Lookups without duplicates. */
  readonly distinct: number;
  /** All lookups are of one operation. */
  readonly isUniform: boolean;
  /** Values that were given as addresses: how many of each parameter, and the first one. */
  readonly understood: ReadonlyMap<string, { readonly count: number; readonly first: Understood }>;
  /** Line number of a lookup in the input. */
  lineOf(index: number): number;
  /** Index by line number. */
  indexOf(line: number): number | undefined;
  /** First lookup with the same input; the index itself where it is the first. */
  firstOf(index: number): number;
  /** Next lookup with the same input. */
  nextSame(index: number): number | undefined;
  unitsOf(index: number): number;
  /** Reads the lookup from the file again. */
  read(index: number): InputLine;
}

/** Two inputs with the same key are the same lookup. */
const keyOf = ({ operation, input }: InputLine): string =>
  hash('sha1', `${operation.id} ${JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))}`, 'base64url');

/** Lines between two looks at signals. */
const SLICE = 500;

/** Checks the whole input. `report` gets every bad line. Throws the reason of `stop` when it is aborted. */
export async function makePlan(reader: InputReader, report: (bad: BadLine) => void, stop?: AbortSignal): Promise<Plan> {
  const places: number[] = [];
  const lines: number[] = [];
  const firsts: number[] = [];
  const units: number[] = [];
  const following = new Map<number, number>();
  const known = new Map<string, number>();
  const operations = new Set<string>();
  const lastSame = new Map<number, number>();
  const understood = new Map<string, { count: number; first: Understood }>();
  let seen = 0;
  for (const { line, record, read } of reader.all()) {
    if (++seen % SLICE === 0) {
      await setImmediate();
      stop?.throwIfAborted();
    }
    if (!read.ok) {
      report({ line, why: read.why });
      continue;
    }
    for (const one of read.value.understood)
      understood.set(one.name, { first: one, ...understood.get(one.name), count: (understood.get(one.name)?.count ?? 0) + 1 });
    const index = lines.length;
    const key = keyOf(read.value);
    operations.add(read.value.operation.id);
    const first = known.get(key) ?? index;
    places.push(record.start, record.end);
    lines.push(record.line);
    firsts.push(first);
    units.push(read.value.operation.price(read.value.input));
    if (first === index) known.set(key, index);
    else {
      following.set(lastSame.get(first) ?? first, index);
      lastSame.set(first, index);
    }
  }
  const distinct = known.size;
  return {
    size: lines.length,
    distinct,
    isUniform: operations.size <= 1,
    understood,
    lineOf: (index) => lines[index] ?? 0,
    indexOf(line) {
      let [low, high] = [0, lines.length - 1];
      while (low <= high) {
        const middle = (low + high) >> 1;
        const found = lines[middle] ?? 0;
        if (found === line) return middle;
        if (found < line) low = middle + 1;
        else high = middle - 1;
      }
      return undefined;
    },
    firstOf: (index) => firsts[index] ?? index,
    nextSame: (index) => following.get(index),
    unitsOf: (index) => units[index] ?? 0,
    read: (index) => reader.at(places[index * 2] ?? 0, places[index * 2 + 1] ?? 0),
  };
}
