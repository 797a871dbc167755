// Few in a process: it computes for long.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { createDrift } from '../../src/monitoring/drift.ts';
import { presenceIn } from '../../src/monitoring/field-presence.ts';
import { READERS, readerOf } from '../../src/sources/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Reader } from '../../src/sources/source.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { sizeOf } from '../support/sizes.ts';
import { mutationsOf, valuesIn } from './mutate-answers.ts';
import { type Recorded, recordedAnswers, skipRecordings } from './recorded-answers.ts';

/** Fields that are unread in a recording, with the reason why that is right. */
const EXPLAINED: Readonly<Record<string, readonly string[]>> = {
  // a deliberately bad answer: the rows of the contacts' cards stand beside "vcard", one contact has no role, the registrar's card no name, and the
  // abuse contact is no list
  'rdap/bad_response_01.registrar-2023.json': [
    'registrar.name',
    'contacts.name',
    'contacts.organization',
    'contacts.email',
    'contacts.phone',
    'contacts',
    'registrar.abuseEmail',
    'registrar.abusePhone',
  ],
  // a repost that comes without its original: its text is cut
  'social/v2_1404371096133013507.json': ['text', 'media', 'links', 'hashtags'],
  // the post names its media by key, and the answer does not hold them
  'social/v2_1404371642944344069.json': ['media'],
  'social/v2_1440716322795450373.json': ['media'],
  'social/v2_1440716774706532357.json': ['media'],
  'social/v2_1440717136192626696.json': ['media'],
  // two short links and hashtags stand in the text, and the answer has no entities that say where they lead and what is one
  'social/v2_2022_minimal.json': ['hashtags', 'links'],
};
/** Whether a page of a discussion names comments that it does not hold, in a `more` or as what its comments answer. */
function isCut({ reader, body }: Recorded): boolean {
  if (reader !== 'forum/thread') return false;
  const named = new Set<unknown>();
  const held = new Set<unknown>();
  JSON.parse(body.toString(), (_, thing) => {
    const { kind, data } = Object(thing);
    if (kind === 't3' || kind === 't1') held.add(data.name ?? `t1_${data.id}`);
    if (kind === 't1') named.add(data.parent_id);
    if (kind === 'more') for (const id of data.children.length > 0 ? data.children : ['the rest of a thread']) named.add(`t1_${id}`);
    return thing;
  });
  return [...named].some((name) => !held.has(name));
}
const explained = (recorded: Recorded): readonly string[] | undefined =>
  EXPLAINED[recorded.id] ?? (isCut(recorded) ? ['comments'] : undefined);
/** Mutations of one kind for each recording: enough that every reader has more than a few losses. */
const MUTATIONS = 16;
const OF_LARGE = { leastBytes: 50_000, mutations: sizeOf({ whole: MUTATIONS, part: 4 }) };

/** Losses of values by a mutation, and how many of them were named. */
interface Tally {
  lost: number;
  named: number;
  readonly silent: string[];
}

describe('unread fields over the recordings', { skip: skipRecordings }, () => {
  const answers: { recorded: Recorded; run: (body: Uint8Array) => Outcome; outcome: Extract<Outcome, { tag: 'found' }> }[] = [];
  before(async () => {
    const readers = new Map<string, Reader>();
    for (const name of Object.keys(READERS)) readers.set(name, (await readerOf(name)?.load()) as Reader);
    for (const recorded of await recordedAnswers()) {
      const { reader, status, headers, url, input } = recorded;
      const read = readers.get(reader) as Reader;
      const run = (body: Uint8Array) => read({ status, headers, body, url, atMs: Date.UTC(2026, 10, 1) }, input);
      const outcome = run(recorded.body);
      if (outcome.tag === 'found') answers.push({ recorded, run, outcome });
    }
  });

  test('no field of a recording is unread, but those listed above', () => {
    const unread = answers.flatMap(({ recorded, outcome: { unread: paths = [] } }) => (paths.length > 0 ? [[recorded.id, paths]] : []));
    const right = answers.flatMap(({ recorded }) => (explained(recorded) ? [[recorded.id, explained(recorded)]] : []));
    assert.deepEqual(Object.fromEntries(unread), Object.fromEntries(right));
    for (const id of Object.keys(EXPLAINED))
      assert.ok(
        answers.some(({ recorded }) => recorded.id === id),
        id,
      );
    assert.ok(answers.length > 700, `${answers.length} recordings`);
  });

  test('of values lost by a mutation, at least 95 % are named as unread in every area; no mutation makes an answer "absent"', (t) => {
    const tallies = new Map<string, Tally>();
    const absent: string[] = [];
    for (const { recorded, run, outcome: before } of answers) {
      const area = recorded.reader.split('/')[0] as string;
      const tally = tallies.get(area) ?? { lost: 0, named: 0, silent: [] };
      tallies.set(area, tally);
      const values = valuesIn(before.resource);
      const most = recorded.body.length < OF_LARGE.leastBytes ? MUTATIONS : OF_LARGE.mutations;
      for (const { what, body } of mutationsOf(recorded, most)) {
        const outcome = run(body());
        if (outcome.tag === 'absent') absent.push(`${recorded.id}: ${what}`);
        if (outcome.tag !== 'found') continue;
        const now = valuesIn(outcome.resource);
        const lost = [...values].filter(([path, count]) => (now.get(path) ?? 0) < count).map(([path]) => path);
        for (const path of lost) {
          // the loss of a whole object or list is the loss of its fields
          if (lost.some((outer) => path.startsWith(`${outer}.`))) continue;
          tally.lost++;
          const isNamed = outcome.unread?.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
          if (isNamed) tally.named++;
          else tally.silent.push(`${recorded.id}: ${what}: ${path}`);
        }
      }
    }
    for (const [area, { lost, named, silent }] of tallies) {
      t.diagnostic(`${area}: ${named} of ${lost}`);
      assert.ok(lost > 5, `${area}: only ${lost} values lost`);
      assert.ok(named / lost >= 0.95, `${area}: ${named} of ${lost}; ${silent.slice(0, 10).join('; ')}`);
    }
    assert.deepEqual(absent, []);
  });

  test('10,000 answers drawn from the recordings raise no drift alarm; a field broken on every page raises one within 20', () => {
    const streams = new Map<string, Outcome[]>();
    for (const { recorded, outcome } of answers) {
      if (explained(recorded)) continue;
      const part = recorded.reader.startsWith('registration/')
        ? String((recorded.input as { domain: string }).domain.split('.').at(-1))
        : '';
      const stream = `${recorded.reader} ${part}`;
      streams.set(stream, [...(streams.get(stream) ?? []), outcome]);
    }
    const list = [...streams];
    const logged: string[] = [];
    const clock = createManualClock(Date.UTC(2026, 10, 22));
    const drift = createDrift({ clock, log: (_level, message, facts) => void logged.push(`${message} ${JSON.stringify(facts)}`) });
    const observe = (stream: string, outcome: Outcome) => {
      const [source = '', part = ''] = stream.split(' ');
      if (outcome.tag !== 'found') return;
      const resource = { bytes: Buffer.alloc(0), etag: '', freshForMs: 0, fields: presenceIn(outcome.resource as object) };
      drift.observe({ source, operation: 'app', part, outcome: { ...outcome, resource }, requestId: null });
    };
    let state = 20261122;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return Math.floor((state / 0x80000000) * below);
    };
    for (let i = 0; i < 10_000; i++) {
      const [stream, outcomes] = list[random(list.length)] as (typeof list)[0];
      observe(stream, outcomes[random(outcomes.length)] as Outcome);
    }
    assert.deepEqual(logged, []);

    let broken = 0;
    for (const [stream, outcomes] of list) {
      const first = outcomes[0] as Outcome;
      if (first.tag !== 'found') continue;
      const field = [...valuesIn(first.resource).keys()].find((path) => !path.includes('.'));
      if (field === undefined) continue;
      broken++;
      const outcome: Outcome = { ...first, resource: { ...(first.resource as object), [field]: null }, unread: [field] };
      for (let i = 0; i < 20; i++) observe(stream, outcome);
      assert.ok(drift.of(stream.split(' ')[0] as string).includes(field), `${stream} ${field}`);
    }
    assert.ok(broken > 50, `${broken} streams`);
  });
});
