import { hash } from 'node:crypto';
import type { Operation } from '../../contract/operations/index.ts';
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
  /** Price of the distinct lookups, in the units of the contract. */
  readonly units: number;
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
const keyOf = (input: InputLine['input']): string =>
  hash('sha1', JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))), 'base64url');

/** Checks the whole input. `report` gets every bad line. */
export function makePlan(reader: InputReader, operation: Operation, report: (bad: BadLine) => void): Plan {
  const places: number[] = [];
  const lines: number[] = [];
  const firsts: number[] = [];
  const units: number[] = [];
  const following = new Map<number, number>();
  const known = new Map<string, number>();
  const lastSame = new Map<number, number>();
  let total = 0;
  for (const { record, read } of reader.all()) {
    if (!read.ok) {
      report({ line: record.line, why: read.why });
      continue;
    }
    const index = lines.length;
    const key = keyOf(read.value.input);
    const first = known.get(key) ?? index;
    places.push(record.start, record.end);
    lines.push(record.line);
    firsts.push(first);
    units.push(operation.price(read.value.input));
    if (first === index) {
      known.set(key, index);
      total += units[index] ?? 0;
    } else {
      following.set(lastSame.get(first) ?? first, index);
      lastSame.set(first, index);
    }
  }
  const distinct = known.size;
  return {
    size: lines.length,
    distinct,
    units: total,
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
