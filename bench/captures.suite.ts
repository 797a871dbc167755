import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOSTS, SANDBOX_SETTINGS, WHOIS } from '../sandbox/hosts.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { createCaptures } from '../src/captures/captures.ts';
import { capturesIn, homeOf, readCapture, sharedIn } from '../src/captures/read-captures.ts';
import { createPorts } from '../src/cli/service.ts';
import { type Input, type OperationId, operationList } from '../src/contract/operations/index.ts';
import { createCheck } from '../src/orchestrator/engine.ts';
import { createLocalEngine } from '../src/orchestrator/local-engine.ts';
import { replayCapture } from '../src/orchestrator/replay.ts';
import { realClock } from '../src/runtime/clock.ts';
import { createUuid7 } from '../src/runtime/uuid.ts';
import { readSettings } from '../src/settings.ts';
import { SOURCES } from '../src/sources/index.ts';
import type { Pace } from '../src/upstream/ports.ts';
import { load, type Server, startServer, withServers } from './load.ts';
import { atLeast, atMost, median, type Row } from './measure.ts';

const ROUNDS = 21;
/** About 400 requests a second: a service at work, not one at its limit. */
const LOAD = { seconds: 1, connections: 20, pauseMs: 50 } as const;
const REPLAYS = 100;

/** p99 of hits and misses with every attempt captured against none captured, in turns; captures replayed a second, by reader. */
export async function suite(): Promise<Row[]> {
  return [...(await latencies()), ...(await replays())];
}

async function latencies(): Promise<Row[]> {
  const upstream = await startServer('upstream', { BENCH_UPSTREAM_MS: '20' });
  const house = (capture: string) => startServer('house', { BENCH_UPSTREAM: upstream.baseUrl, SIGHTLINE_CAPTURE: capture });
  try {
    return await withServers({ off: house('off'), again: house('off'), all: house('all') }, async (servers) => {
      const rows: Row[] = [];
      for (const [what, pathOf] of [
        ['misses', (round: number) => `/v1/website/whois/domains/bench-${round}-#.com`],
        ['hits', () => '/v1/website/whois/domains/bench-hit.com'],
      ] as const) {
        const p99 = { off: [] as number[], again: [] as number[], all: [] as number[] };
        for (let round = 0; round <= ROUNDS; round++)
          for (const [name, server] of Object.entries<Server>(servers) as ['off' | 'again' | 'all', Server][]) {
            const { p99Ms } = await load(server, pathOf(round), LOAD);
            // the first round warms up
            if (round > 0) p99[name].push(p99Ms);
          }
        const [off, all] = [median(p99.off), median(p99.all)];
        const timesOff = (values: readonly number[]): number =>
          median(values.map((value, round) => value / (p99.off[round] ?? Number.NaN)));
        const self = timesOff(p99.again);
        const noise = {
          what: `p99 of ${what}, none captured, against itself`,
          value: self,
          bar: 0.1,
          holds: 'one within' as const,
          note: '',
        };
        const note = `${all.toFixed(1)} ms against ${off.toFixed(1)} ms, median of ${ROUNDS} pairs`;
        rows.push(noise, atMost(`p99 of ${what} with every attempt captured, times that of none captured`, timesOff(p99.all), 1.1, note));
      }
      return rows;
    });
  } finally {
    await upstream.stop();
  }
}

const exampleOf = (id: OperationId): Input => {
  const operation = operationList.find((o) => o.id === id);
  const read = operation?.readInput(
    operation.parameters.filter((p) => p.required).map((p): [string, string] => [p.name, String(p.example)]),
  );
  if (!read?.ok) throw new Error(`the examples of ${id} are no input`);
  return read.value;
};
const AT_ONCE: Pace = { take: async () => 0, rest: async () => {}, resting: async () => 0 };

/** Captures of the simulated platforms, one for each source and operation, replayed on one thread. */
async function replays(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const environment = { ...SANDBOX_SETTINGS, SIGHTLINE_HOSTS: sandbox.mapFile, SIGHTLINE_CAPTURE: 'all' };
  const settings = readSettings(environment);
  const ports = await createPorts(settings, () => {}, realClock, { pace: AT_ONCE });
  const check = createCheck();
  const newId = createUuid7(realClock.now, randomBytes);
  const captures = createCaptures({ settings, clock: realClock, random: () => 1, newId, folder, log: () => {} });
  const engine = createLocalEngine(SOURCES, ports, captures);
  try {
    for (const source of SOURCES)
      for (const operation of source.operations) {
        if (source.id === 'serp/browser') continue;
        await engine.attempt({ source: source.id, operation, input: exampleOf(operation), leftMs: 20_000 });
      }
    await captures.flush();
    const found = [...capturesIn(folder)];
    const all = found.map(readCapture);
    const homes = new Set(found.map(({ file }) => homeOf(file)));
    const shared = [...homes].flatMap((home) => sharedIn(home).map(readCapture));
    const rows: Row[] = [];
    for (const capture of all) {
      const { source, operation, outcome } = capture.facts;
      if (outcome?.tag !== 'found') continue;
      const began = performance.now();
      for (let i = 0; i < REPLAYS; i++) {
        const replay = await replayCapture({ sources: SOURCES, settings, check }, capture, shared);
        if ('skipped' in replay || replay.differences.length > 0) throw new Error(`${source} ${operation}: ${JSON.stringify(replay)}`);
      }
      const perSecond = REPLAYS / ((performance.now() - began) / 1000);
      const answers = capture.exchanges.flatMap(({ sent }) => sent.flatMap(({ answer }) => answer?.body.length ?? []));
      const kilobytes = answers.reduce((sum, n) => sum + n, 0) / 1000;
      const note = `${kilobytes.toFixed(1)} kB in ${answers.length} ${answers.length === 1 ? 'answer' : 'answers'} of the simulated platform`;
      rows.push(atLeast(`captures of ${source}, ${operation}, replayed a second`, perSecond, 10, note));
    }
    return rows;
  } finally {
    await captures.close(1_000);
    await ports.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
