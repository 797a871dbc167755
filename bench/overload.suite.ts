import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrivals, asker, inFlight, p99 } from '../test/faults/arrivals.ts';
import { startServer } from './load.ts';
import { atMost, median, type Row } from './measure.ts';

const ROUNDS = 3;
const SECONDS = 4;
const QUIET_PER_SECOND = 50;

/** Answers per second with load shedding disabled. */
async function mostPerSecond(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const server = await startServer('../test/faults/heavy', { SIGHTLINE_DATA_DIR: folder, SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000' });
  const { send, close } = asker(server.baseUrl, server.key);
  try {
    return (await inFlight(32, 3, send)).length / 3;
  } finally {
    await close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** p99 of CPU-heavy lookups at 3× capacity against the same lookups at low load, in turns. */
export async function suite(): Promise<Row[]> {
  const capacity = await mostPerSecond();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const server = await startServer('../test/faults/heavy', { SIGHTLINE_DATA_DIR: folder });
  const { send, close } = asker(server.baseUrl, server.key);
  try {
    const ratios: number[] = [];
    let note = '';
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = p99((await arrivals(QUIET_PER_SECOND, SECONDS, send)).later);
      const { later } = await arrivals(3 * capacity, SECONDS, send);
      const answered = later.filter((r) => r.status === 200).length;
      ratios.push(p99(later) / quiet);
      note = `${p99(later).toFixed(0)} ms against ${quiet.toFixed(0)} ms, ${answered} of ${later.length} let in at ${Math.round(3 * capacity)} /s`;
    }
    return [atMost('p99 of who is let in under three times the load against a quiet hour', median(ratios), 3, note)];
  } finally {
    await close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
