import { isDeepStrictEqual } from 'node:util';
import type { CanaryResult } from '../contract/admin/schemas.ts';
import { type Input, type Operation, operationOf } from '../contract/operations/index.ts';
import { type Clock, DAY_MS, instant } from '../runtime/clock.ts';
import { deadlineOf, SettingError, type Settings } from '../settings.ts';
import { FREE, ORDINARY, type Orchestrator } from './types.ts';

/** A lookup of the operator's file with facts that must hold. */
export interface Canary {
  readonly name: string;
  readonly operation: Operation;
  readonly input: Input;
  /** Expected values by dotted path; `{"exists": true}` matches any value but null. */
  readonly facts: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fail = (place: string, why: string): never => {
  throw new SettingError(`SIGHTLINE_CANARIES: ${place} ${why}`);
};
const NAME = /^[\w][\w .:/-]{0,79}$/;
const FIELDS = ['name', 'operation', 'parameters', 'facts'];

/**
 * Parses the operator's file: `{"canaries": [{"name", "operation", "parameters", "facts"}], "registries": ["com"]}`. A registry means
 * the lookup of `nic.<tld>`, which every registry holds itself. Throws a SettingError with the path of the field.
 */
export function parseCanaries(text: string): readonly Canary[] {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    return fail('the file', `is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(root)) return fail('the file', 'must be an object with canaries, registries or both');
  const stray = Object.keys(root).find((name) => name !== 'canaries' && name !== 'registries');
  if (stray !== undefined) fail(`/${stray}`, 'is not known: the file has canaries and registries');
  const { canaries = [], registries = [] } = root;
  if (!Array.isArray(canaries)) return fail('/canaries', 'must be a list');
  if (!Array.isArray(registries)) return fail('/registries', 'must be a list of top-level domains');
  const all = [
    ...canaries.map((one: unknown, i) => canaryOf(one, `/canaries/${i}`)),
    ...registries.map((tld: unknown, i) =>
      canaryOf(
        { name: `nic.${tld}`, operation: 'registration', parameters: { domain: `nic.${tld}` }, facts: { available: false } },
        `/registries/${i}`,
      ),
    ),
  ];
  const twice = all.find((canary, i) => all.findIndex((other) => other.name === canary.name) !== i);
  if (twice) fail('the name', `${JSON.stringify(twice.name)} is given twice: give each canary its own`);
  return all;
}

function canaryOf(one: unknown, place: string): Canary {
  if (!isObject(one)) return fail(place, 'must be an object');
  const stray = Object.keys(one).find((name) => !FIELDS.includes(name));
  if (stray !== undefined) fail(`${place}/${stray}`, `is not known: a canary has ${FIELDS.join(', ')}`);
  const { name, parameters, facts } = one;
  if (typeof name !== 'string' || !NAME.test(name))
    return fail(`${place}/name`, 'must be 1 to 80 letters, digits, blanks and the characters . : / - _');
  const operation = typeof one.operation === 'string' ? operationOf(one.operation) : undefined;
  if (!operation) return fail(`${place}/operation`, `is ${JSON.stringify(one.operation)}, which is no operation`);
  if (!isObject(parameters)) return fail(`${place}/parameters`, 'must be an object of parameters and texts');
  const read = operation.readInput(Object.entries(parameters).map(([parameter, value]): [string, string] => [parameter, String(value)]));
  if (!read.ok) return fail(`${place}/parameters`, `are no input of ${operation.id}: ${read.why}`);
  if (!isObject(facts) || Object.keys(facts).length === 0)
    return fail(`${place}/facts`, 'must be an object of paths and values, such as {"available": false}');
  return { name, operation, input: read.value, facts };
}

/** The first fact that does not hold, as a sentence; null where all do. */
export function unmetFact(resource: unknown, facts: Canary['facts']): string | null {
  for (const [path, expected] of Object.entries(facts)) {
    const value = path
      .split('.')
      .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), resource);
    const holds = isDeepStrictEqual(expected, { exists: true })
      ? value !== null && value !== undefined
      : isDeepStrictEqual(value, expected);
    if (!holds) return `${path} is ${JSON.stringify(value) ?? 'missing'}, expected ${JSON.stringify(expected)}`;
  }
  return null;
}

export interface CanariesParts {
  readonly canaries: readonly Canary[];
  readonly orchestrator: Pick<Orchestrator, 'lookup'>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  readonly log: (level: 'info' | 'warn', message: string, facts: Record<string, unknown>) => void;
  readonly saved: readonly CanaryResult[];
  /** Stores the results; does not reject. */
  readonly save: (results: readonly CanaryResult[]) => Promise<void>;
}
export type Canaries = ReturnType<typeof startCanaries>;

const MAX_PAST = 30;
/** After the start, so that a restart is not slowed down. */
const FIRST_MS = 30_000;

/**
 * Makes each lookup once a day, one after the other, past the cache and free of charge; the daily caps of paid sources apply. A restart does
 * not make a lookup again before its day is over.
 */
export function startCanaries(parts: CanariesParts) {
  const { canaries, orchestrator, settings, clock, log } = parts;
  const closed = new AbortController();
  const results = new Map(parts.saved.flatMap((result) => (canaries.some((c) => c.name === result.name) ? [[result.name, result]] : [])));

  async function resultOf({ name, operation, input, facts }: Canary): Promise<Omit<CanaryResult, 'past'>> {
    const result = await orchestrator.lookup({
      operation: operation.id,
      input,
      freshness: { ...ORDINARY, noCache: true },
      charge: FREE,
      deadlineMs: clock.now() + deadlineOf(operation, settings),
      requestId: parts.newRequestId(),
    });
    const told = { name, operation: operation.id, at: instant(clock.now()) };
    if (!result.ok)
      return { ...told, source: null, ok: false, why: `${result.refusal.error.body.error.code}: ${result.refusal.error.message}` };
    const { source, bytes } = result.answer.cached;
    const why = unmetFact(JSON.parse(bytes.toString()), facts);
    return { ...told, source, ok: why === null, why };
  }
  async function run(canary: Canary): Promise<void> {
    const before = results.get(canary.name);
    const last = await resultOf(canary);
    const result = { ...last, past: [...(before?.past ?? []), { at: last.at, ok: last.ok }].slice(-MAX_PAST) };
    results.set(canary.name, result);
    const { name, operation, source, why } = result;
    if (!result.ok) log('warn', 'a canary fails', { name, operation, source, why });
    else if (before && !before.ok) log('info', 'a canary holds again', { name, operation, source });
    await parts.save([...results.values()]);
  }
  const dueAt = ({ name }: Canary): number => {
    const last = results.get(name);
    return last ? Date.parse(last.at) + DAY_MS : 0;
  };
  async function runDaily(): Promise<void> {
    await clock.sleep(FIRST_MS, closed.signal);
    while (!closed.signal.aborted) {
      for (const canary of canaries) if (!closed.signal.aborted && dueAt(canary) <= clock.now()) await run(canary);
      await clock.sleep(Math.max(1_000, Math.min(...canaries.map(dueAt)) - clock.now()), closed.signal);
    }
  }
  if (canaries.length > 0)
    runDaily().catch((error: Error) =>
      log('warn', 'canaries are not run any more: internal error', { reason: error.stack ?? error.message }),
    );
  return {
    /** The last result of each canary that has run. */
    results: (): readonly CanaryResult[] => [...results.values()],
    close: () => closed.abort('closed'),
  };
}
