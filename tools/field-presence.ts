/**
 * Writes src/monitoring/recorded-presence.tsv: how often each field has a value in the recorded answers of a source, for drift detection
 * before the source has answers of its own. Only these figures leave the recordings. `npm run presence`, where ../shared/recordings exists.
 */
import { writeFileSync } from 'node:fs';
import { type Counts, MISSING } from '../src/monitoring/drift-statistic.ts';
import { presenceIn } from '../src/monitoring/field-presence.ts';
import { SOURCES } from '../src/sources/index.ts';
import { recordedAnswers } from '../test/sources/recorded-answers.ts';

/** Fewer recordings of a field say too little. */
const LEAST_ANSWERS = 10;
const FILE = new URL('../src/monitoring/recorded-presence.tsv', import.meta.url);

const counts = new Map<string, Counts>();
for (const { reader, input, ...answer } of await recordedAnswers()) {
  const source = SOURCES.find(({ readers }) => readers && reader in readers);
  const entry = source?.readers?.[reader];
  const part = entry && source?.partOf?.(entry.operation, input);
  // where the part is not known, the recordings of many are mixed
  if (!entry || part === '' || source?.serves?.(entry.operation, input) === false) continue;
  const outcome = (await entry.load())({ ...answer, atMs: Date.UTC(2026, 10, 1) }, input);
  if (outcome.tag !== 'found') continue;
  const { present, missing } = presenceIn(outcome.resource as object);
  for (const field of [...present, ...missing]) {
    const key = `${`${source?.id} ${entry.operation} ${part ?? ''}`.trim()}\t${field}`;
    const { answers, faults } = counts.get(key) ?? { answers: 0, faults: 0 };
    counts.set(key, { answers: answers + 1, faults: faults + Number(missing.includes(field)) });
  }
}
const lines = [...counts]
  .filter(([, { answers, faults }]) => answers >= LEAST_ANSWERS && faults / answers <= MISSING.maxRate)
  .map(([key, { answers, faults }]) => [key, answers, faults].join('\t'))
  .sort();
const head = '# Written by tools/field-presence.ts: stream, field, recorded answers, answers without a value.';
writeFileSync(FILE, `${[head, ...lines].join('\n')}\n`);
console.log(`${lines.length} fields of ${new Set(lines.map((line) => line.split('\t')[0])).size} streams`);
