import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManualClock } from '../../test/support/manual-clock.ts';
import { scripted } from '../../test/support/orchestrator-fakes.ts';
import { SOURCES } from '../sources/index.ts';
import type { Ports } from '../sources/source.ts';
import { createPace } from '../upstream/pace.ts';
import { DefectError } from './engine.ts';
import { createLocalEngine } from './local-engine.ts';

const ports = (clock = createManualClock()) => ({ clock, pace: createPace(clock) }) as unknown as Ports;
const work = { operation: 'registration', input: { domain: 'a.com' }, leftMs: 1000 } as const;

test('every source has a unique id for each of its operations', () => {
  const names = SOURCES.flatMap((s) => s.operations.map((o) => `${s.id} ${o}`));
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
