import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationId } from '../contract/operations/index.ts';
import { type FoundCapture, homeOf, membersOf, type OnFault, readCapture, sharedIn } from './read-captures.ts';

/** Writes captures as one WARC file, mode 0600, with the shared documents that their replay needs. Throws if the file exists. */
export function exportWarc(found: readonly FoundCapture[], file: string, onFault: OnFault): void {
  const shared = [...Map.groupBy(found, (one) => homeOf(one.file))].flatMap(([home, own]) => {
    const names = new Set(own.map(({ facts }) => facts.source));
    return sharedIn(home, onFault).filter(({ facts }) => names.has(facts.source));
  });
  writeFileSync(file, Buffer.concat([...shared, ...found].map(membersOf)), { mode: 0o600, flag: 'wx' });
}

const ENDS: readonly (readonly [RegExp, string])[] = [
  [/json/, 'json'],
  [/html/, 'html'],
];

/**
 * Writes captures as a folder of recordings: the body of every answer in a file, and `expected.ndjson` with a line for each. `sightline parse
 * --ndjson` reads these lines in that folder. `expected` holds the outcome recorded at capture time; the person who files the case replaces it by
 * the right answer. `readersOf`: the public names of the readers that a source uses for an operation. Returns the number of lines. Throws if the
 * folder exists.
 */
export function exportCase(
  found: readonly FoundCapture[],
  folder: string,
  readersOf: (source: string, operation: OperationId) => readonly string[],
): number {
  mkdirSync(folder, { mode: 0o700 });
  const lines: string[] = [];
  for (const one of found) {
    const { facts, exchanges } = readCapture(one);
    if (!facts.operation) continue;
    const answers = exchanges.flatMap(({ sent }) => sent.at(-1)?.answer ?? []);
    for (const [i, answer] of answers.entries()) {
      const { url, status, headers, body } = answer;
      const end = ENDS.find(([type]) => type.test(headers['content-type'] ?? ''))?.[1] ?? 'txt';
      const name = `${facts.capture}-${i + 1}.${end}`;
      writeFileSync(join(folder, name), body, { mode: 0o600 });
      for (const reader of readersOf(facts.source, facts.operation)) {
        const expected = { outcome: facts.outcome?.tag ?? null };
        const id = `${facts.capture}-${i + 1}`;
        lines.push(JSON.stringify({ id, reader, file: name, body: name, url, status, headers, input: facts.input, expected }));
      }
    }
  }
  writeFileSync(join(folder, 'expected.ndjson'), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  return lines.length;
}
