import { readFileSync } from 'node:fs';
import type { OperationId } from '../../src/contract/operations/index.ts';
import { absent, blocked, changed, finallyBlocked, found, limited, type Outcome, unreachable } from '../../src/sources/outcome.ts';
import type { Source } from '../../src/sources/source.ts';
import { PROOF } from '../support/evidence.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import type { Random } from './random.ts';
import type { Owner, Timeline } from './timeline.ts';

/** What the platforms hold. It does not change, so that each answer can be compared with it. */
export const FREE_DOMAIN = (domain: string): boolean => domain.startsWith('free-');
export const UNKNOWN_DOMAIN = (domain: string): boolean => domain.startsWith('unknown-');
/** Results that the engine has for a keyword. */
export const resultsOf = (keyword: string): number => (keyword.length * 7) % 45;

interface Example {
  readonly paths: Readonly<
    Record<string, { get: { responses: { 200: { content: { 'application/json': { example: Readonly<Record<string, unknown>> } } } } } }>
  >;
}
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Example;
const exampleOf = (path: string) => paths[path]?.get.responses[200].content['application/json'].example ?? {};
const SERP = exampleOf('/v1/searchengine/serp');
const TRAFFIC = exampleOf('/v1/traffic/domains/{domain}');
const [ORGANIC] = SERP.organic as Record<string, unknown>[];

const FAILURES: readonly (() => Outcome)[] = [
  () => blocked('The source blocked this service.'),
  () => finallyBlocked('The source does not show this item.'),
  () => limited('The source limits requests.', 3_000),
  () => unreachable('The source was not reached.'),
  () => changed('The answer has an unknown form.'),
  () => {
    throw new Error('a defect of a parser');
  },
];

export interface Platforms {
  readonly sources: readonly Source[];
  /** Share of attempts that fail. */
  failing: number;
  /** Attempts that failed so far. */
  readonly failures: () => number;
}

/** Two sources for each of three operations: they answer soon, late, not at all, with failures of every kind. */
export function createPlatforms(timeline: Timeline, outside: Owner, random: Random): Platforms {
  const clock = timeline.clockOf(outside);
  let failures = 0;
  const platforms: { failing: number } = { failing: 0.1 };

  async function ask(signal: AbortSignal, truth: () => Outcome): Promise<Outcome> {
    const slow = random.chance(0.03);
    await clock.sleep(slow ? random.wait(40_000) : random.chance(0.3) ? random.next() * 20 : random.wait(300), signal);
    if (!random.chance(platforms.failing)) return truth();
    failures++;
    return random.pick(FAILURES)();
  }
  const source = <Id extends OperationId>(id: string, operation: Id, truth: (input: never) => Outcome): Source => ({
    id,
    operations: [operation],
    needs: [],
    knowsAbsence: true,
    about: 'simulated',
    open: () => ({ [operation]: (input: never, { signal }: { signal: AbortSignal }) => ask(signal, () => truth(input)) }),
  });
  const registration = ({ domain }: { domain: string }) => found(registered(domain, FREE_DOMAIN(domain)));
  const traffic = ({ domain }: { domain: string }) =>
    UNKNOWN_DOMAIN(domain) ? absent(PROOF, `${domain} is in none of the rank lists asked.`) : found({ ...TRAFFIC, domain });
  const serp = ({ keyword, depth, engine, location, language, device }: Record<string, unknown> & { keyword: string; depth: number }) => {
    const count = Math.min(depth, resultsOf(keyword));
    const organic = Array.from({ length: count }, (_, n) => ({ ...ORGANIC, rank: n + 1, absoluteRank: n + 1 }));
    const resource = { ...SERP, keyword, searchEngine: engine, location, language, device, organic, paid: [], features: [] };
    return found(resource, count);
  };
  const sources = ['a', 'b'].flatMap((name) => [
    source(`registration/${name}`, 'registration', registration as never),
    source(`traffic/${name}`, 'traffic', traffic as never),
    source(`serp/${name}`, 'serp', serp as never),
  ]);
  return Object.assign(platforms, { sources, failures: () => failures });
}
