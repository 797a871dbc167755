import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { READERS } from '../../src/sources/index.ts';
import { samples } from '../attack/reader-samples.ts';
import { isNamed, valuesIn } from './mutate-answers.ts';
import { type Recorded, recordedAnswers, skipRecordings } from './recorded-answers.ts';

type Lists = Map<string, unknown[][]>;
/** The lists of a document that have entries, by their paths. */
function listsIn(json: unknown, path = '', into: Lists = new Map()): Lists {
  if (Array.isArray(json)) {
    if (json.length > 0) into.set(path, [...(into.get(path) ?? []), json]);
    for (const entry of json) listsIn(entry, `${path}[]`, into);
  } else if (typeof json === 'object' && json !== null)
    for (const [key, value] of Object.entries(json)) listsIn(value, `${path}.${key}`, into);
  return into;
}

/** The values that an answer loses in silence where the first or the last entry of a list is in another form: words, or an object. */
async function silentLosses({ id, reader, body, status, headers, url, input }: Recorded): Promise<string[]> {
  const text = body.toString();
  const read = await (READERS[reader] ?? assert.fail(reader)).load();
  const run = (json: unknown) =>
    read({ status, headers, body: Buffer.from(JSON.stringify(json)), url, atMs: Date.UTC(2026, 10, 1) }, input);
  const whole = run(JSON.parse(text));
  if (whole.tag !== 'found') return [];
  const values = valuesIn(whole.resource);
  return [...listsIn(JSON.parse(text)).keys()].slice(0, 60).flatMap((path) =>
    ['first', 'last'].flatMap((which) => {
      const json: unknown = JSON.parse(text);
      const list = listsIn(json).get(path)?.[0] ?? assert.fail(path);
      const at = which === 'first' ? 0 : list.length - 1;
      list[at] = typeof list[at] === 'object' ? 'Some words' : { value: 1 };
      const outcome = run(json);
      if (outcome.tag !== 'found') return [];
      const now = valuesIn(outcome.resource);
      const lost = [...values].filter(([field, count]) => (now.get(field) ?? 0) < count).map(([field]) => field);
      const outermost = lost.filter((field) => !lost.some((outer) => field.startsWith(`${outer}.`)));
      return outermost.filter((field) => !isNamed(field, outcome.unread ?? [])).map((field) => `${id}, ${which} of ${path}: ${field}`);
    }),
  );
}
const isJson = (text: string): boolean => /^\s*(?:\{|\[[[{])/.test(text);

const SAMPLES = Map.groupBy(await samples(), ({ reader }) => reader);
describe('an entry of a list in another form is unread, never lost in silence', () => {
  for (const [reader, all] of SAMPLES) {
    const own = all.filter(({ text }) => isJson(text));
    if (own.length > 0)
      test(reader, async () => {
        for (const { text, input, ...sample } of own)
          assert.deepEqual(
            await silentLosses({
              ...sample,
              id: reader,
              body: Buffer.from(text),
              status: 200,
              headers: {},
              input: input as Recorded['input'],
            }),
            [],
          );
      });
  }
  test('every recorded answer in JSON', { skip: skipRecordings }, async () => {
    const recorded = (await recordedAnswers()).filter(({ reader, body }) => reader !== 'registration/whois' && isJson(body.toString()));
    assert.ok(recorded.length > 100);
    for (const one of recorded) assert.deepEqual(await silentLosses(one), []);
  });
});
