import { readTable } from '../runtime/table.ts';
import type { Counts } from './drift-statistic.ts';

/** Recorded answers of each stream and field, and how many have no value; the table is written by tools/field-presence.ts. */
export const recordedPresence = (): ReadonlyMap<string, Counts> =>
  new Map(
    readTable(new URL('./recorded-presence.tsv', import.meta.url)).map(([stream, field, answers, faults]) => [
      `${stream}\n${field}`,
      { answers: Number(answers), faults: Number(faults) },
    ]),
  );
