/** Captures attempts without an end into the folder of its argument; `ready` on standard output once the first is written. */

import { randomBytes } from 'node:crypto';
import { realClock } from '../../src/runtime/clock.ts';
import { createUuid7 } from '../../src/runtime/uuid.ts';
import { readSettings } from '../../src/settings.ts';
import { answerOf, capturesIn, exchangeOf, foundOf, sentOf } from './samples.ts';

const folder = process.argv[2] ?? '';
const { captures } = capturesIn(folder, readSettings({ SIGHTLINE_CAPTURE: 'all' }), {
  clock: realClock,
  newId: createUuid7(realClock.now, randomBytes),
});
for (let n = 0; ; n++) {
  const recording = captures.begin({
    source: 'appmarket/page',
    operation: 'app',
    input: { handle: `widget-${n}` },
    requestId: `request-${n}`,
  });
  recording.record(exchangeOf([sentOf({ answer: answerOf({ text: `<p>${n} ${'word '.repeat((n * 37) % 500)}</p>` }) })]));
  recording.end(foundOf({ n }));
  if (n % 20 === 0) await captures.flush();
  if (n === 20) process.stdout.write('ready\n');
}
