import { type Fleet, joinFleet } from '../../src/fleet/membership.ts';
import { createBullEngine } from '../../src/fleet/queue.ts';
import { type AttemptWorker, startAttemptWorker } from '../../src/fleet/worker.ts';
import type { Engine } from '../../src/orchestrator/engine.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Attempt, Ports, Source } from '../../src/sources/source.ts';

/** Behaviour of the source for a domain; each test supplies its own. */
export type Script = (domain: string, attempt: Attempt) => Promise<Outcome>;
export const sourceOf = (script: Script, id = 'registration/rdap'): Source => ({
  id,
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  about: 'a script',
  open: () => ({ registration: (async ({ domain }: { domain: string }, attempt: Attempt) => script(domain, attempt)) as never }),
});
export const ports = {
  settings: readSettings({}),
  clock: realClock,
  // a pace without limits: these tests check transport, and an attempt after `limited` must reach the source
  pace: { take: async () => 0, rest: async () => {}, resting: async () => 0 },
  random: Math.random,
  log: () => {},
} as unknown as Ports;
/** The resources of these tests do not fit the contract. */
const check = async (): Promise<null> => null;
/** Makes an attempt; a resource is parsed again. */
export async function ask(engine: Engine, domain: string, leftMs = 5_000, more: { signal?: AbortSignal } = {}): Promise<Outcome> {
  const outcome = await engine.attempt({ source: 'registration/rdap', operation: 'registration', input: { domain }, leftMs, ...more });
  return outcome.tag === 'found' ? { ...outcome, resource: JSON.parse(outcome.resource.bytes.toString()) } : outcome;
}

let made = 0;
export const member = (url: string, part: { gateway: boolean; sources: readonly string[] }): Promise<Fleet> =>
  joinFleet({ url, clock: realClock, log: () => {}, part, newId: () => `${process.pid}-${made++}` });

export interface TestEngine {
  readonly engine: Engine;
  /** By how much the clocks of its processes may differ at most: each is half a round trip off. */
  clocksDifferMs(): number;
  close(): Promise<void>;
}
export const openLocalEngine = (sources: readonly Source[]): TestEngine => {
  const engine = createLocalEngine(sources, ports, undefined, check);
  return { engine, clocksDifferMs: () => 0, close: () => engine.close() };
};

export interface SourceWorkers {
  readonly worker: AttemptWorker;
  readonly fleet: Fleet;
  close(): Promise<void>;
}
export async function sourceWorkers(url: string, sources: readonly Source[], concurrency = 20, log = ports.log): Promise<SourceWorkers> {
  const fleet = await member(url, { gateway: false, sources: sources.map((s) => s.id) });
  const worker = startAttemptWorker({
    fleet,
    url,
    sources,
    ports: { ...ports, log },
    check,
    concurrency,
  });
  return {
    worker,
    fleet,
    async close() {
      await worker.close(1_000);
      await fleet.close();
    },
  };
}
/** The engine of a gateway, without workers. */
export async function openGatewayEngine(url: string, log: Ports['log'] = () => {}): Promise<TestEngine & { fleet: Fleet }> {
  const fleet = await member(url, { gateway: true, sources: [] });
  const engine = await createBullEngine({ fleet, url, clock: realClock, log, leads: { of: () => null } });
  return {
    engine,
    fleet,
    clocksDifferMs: () => fleet.roundTripMs / 2,
    async close() {
      await engine.close();
      await fleet.close();
    },
  };
}
/** A gateway and a worker. */
export async function openBullEngine(url: string, sources: readonly Source[]): Promise<TestEngine> {
  const work = await sourceWorkers(url, sources);
  const gateway = await openGatewayEngine(url);
  return {
    engine: gateway.engine,
    clocksDifferMs: () => (gateway.fleet.roundTripMs + work.fleet.roundTripMs) / 2,
    async close() {
      await gateway.close();
      await work.close();
    },
  };
}
