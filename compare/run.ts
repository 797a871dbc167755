/**
 * `npm run compare [-- --set FOLDER]… [--detail] [--json]`: recorded answers through our reader and through open libraries, judged by one table. Writes
 * docs/comparison.md where the recordings beside the checkout are there and no other set is given; prints it otherwise.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Judged, judge } from './judge.ts';
import { comparisonPage, type Figures, figuresOf } from './page.ts';
import { answerSets, type Row } from './sets.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [] },
    detail: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  console.error('The other readers are not installed: run npm ci --prefix compare.');
  process.exit(2);
}
const { ADAPTERS } = await import('./adapters.ts');
const sets = answerSets(values.set);
const all: Figures[] = [];
for (const { name, isDevelopedAgainst, rows } of sets)
  for (const kind of ['whois', 'rdap'] as const) {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) continue;
    const judged = new Map<string, readonly Judged[]>();
    const readers = ADAPTERS.filter(({ kinds }) => kinds.includes(kind));
    for (const adapter of readers) {
      const ofReader: Judged[] = [];
      for (const row of own) {
        const one = judge(row, await adapter.read(row));
        ofReader.push(one);
        if (values.detail && !one.isWhole) console.error(detailOf(adapter.name, row, one));
      }
      judged.set(adapter.name, ofReader);
    }
    const ours = judged.get('Sightline') ?? [];
    all.push({
      set: name,
      isDevelopedAgainst,
      kind,
      answers: own.length,
      readers: readers.map((reader) => figuresOf(reader, judged.get(reader.name) ?? [], ours)),
    });
  }

function detailOf(reader: string, { id }: Row, { verdicts, availability }: Judged): string {
  const faults = Object.entries(verdicts).flatMap(([field, verdict]) => (verdict === 'right' ? [] : [`${field} ${verdict}`]));
  return `${reader}: ${id}: ${[...(availability === 'right' ? [] : [availability]), ...faults].join(', ')}`;
}

const page = comparisonPage(all, new Date().toISOString().slice(0, 10));
if (values.json) process.stdout.write(`${JSON.stringify(all)}\n`);
else if (values.set.length > 0 || sets.length === 0) process.stdout.write(page);
else {
  writeFileSync('docs/comparison.md', page);
  process.stdout.write('wrote docs/comparison.md\n');
}
