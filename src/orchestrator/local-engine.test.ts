import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { registered, scripted } from '../../test/support/orchestrator-fakes.ts';
import { SOURCES } from '../sources/index.ts';
import { found } from '../sources/outcome.ts';
import { nameOf, type Ports } from '../sources/source.ts';
import { createPace } from '../upstream/pace.ts';
import { DefectError } from './engine.ts';
import { createLocalEngine } from './local-engine.ts';

const ports = (clock = createManualClock()) => ({ clock, pace: createPace(clock) }) as unknown as Ports;
const work = { operation: 'registration', input: { domain: 'a.com' }, leftMs: 1000 } as const;

test('two sources with the same id are distinguished by their names', async () => {
  const [a, b] = [scripted('same', [found(registered('a.com'))]), scripted('same', [found(registered('b.com'))], { name: 'other' })];
  const outcome = await createLocalEngine([a, b], ports()).attempt({ ...work, source: 'other' });
  assert.ok(outcome.tag === 'found' && outcome.resource.bytes.includes('"b.com"'));
  assert.equal(a.asked, 0);
});

test('every source has a unique name for each of its operations', () => {
  const names = SOURCES.flatMap((s) => s.operations.map((o) => `${nameOf(s)} ${o}`));
  assert.equal(new Set(names).size, names.length);
});

test('a source that throws, at once or later, is a defect', async () => {
  const sync = scripted('a', [], {
    open: () => ({
      registration: () => {
        throw new Error('at once');
      },
    }),
  });
  await assert.rejects(createLocalEngine([sync], ports()).attempt({ ...work, source: 'a' }), DefectError);
  await assert.rejects(createLocalEngine([scripted('b', [new Error('later')])], ports()).attempt({ ...work, source: 'b' }), DefectError);
});
