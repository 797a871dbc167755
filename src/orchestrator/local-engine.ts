import type { OperationId, Resource } from '../contract/operations/index.ts';
import { after } from '../runtime/clock.ts';
import { credentialsOf } from '../sources/credentials.ts';
import { limited, MAX_WAIT_MS, type Outcome, timeout } from '../sources/outcome.ts';
import type { Ask, Asks, Ports, Source } from '../sources/source.ts';
import type { RecordExchange } from '../upstream/ports.ts';
import { type AttemptRecorder, type Check, createCheck, DefectError, type Engine, serialise, type Work } from './engine.ts';

const DEFAULT_REST_MS = 30_000;

/** Key of a rest, stored with the pace. `part`: '' for the whole source. Sources with the same id are one provider and rest together. */
export const restKeyOf = (id: string, part: string): string => `source ${id} ${part}`.trim();

/** Runs every attempt in this process. A source is opened on its first attempt and reused. */
export function createLocalEngine(
  sources: readonly Source[],
  ports: Ports,
  recorder?: AttemptRecorder,
  check: Check = createCheck(),
): Engine {
  const opened = new Map<Source, Asks>();
  const askOf = <Id extends OperationId>(work: Work<Id>): Ask<Id> => {
    const source = sources.find((s) => s.id === work.source && s.operations.includes(work.operation));
    if (!source) throw new Error(`there is no source ${work.source} for ${work.operation}`);
    const asks = opened.get(source) ?? source.open(ports);
    opened.set(source, asks);
    const ask = asks[work.operation] as Ask<Id> | undefined;
    if (!ask) throw new Error(`source ${work.source} does not answer ${work.operation}, though it declares it`);
    return ask;
  };

  /** Limits of our own accounts, until their reset. Of this process: a start, for one with another limit, asks again. */
  const accountLimits = new Map<string, { readonly outcome: Extract<Outcome, { tag: 'refused' }>; readonly untilMs: number }>();

  /** Makes the attempt unless the source rests. `limited` and a limit of our account rest the source for the stated time. */
  async function unlessResting({ source: id, operation, input }: Work, ask: () => Promise<Outcome<Resource>>): Promise<Outcome<Resource>> {
    const source = sources.find((s) => s.id === id);
    const key = restKeyOf(id, source?.limitedByPart ? (source.partOf?.(operation, input) ?? '') : '');
    const restMs = await ports.pace.resting(key);
    if (restMs > 0) {
      const what = 'The source limits the number of requests, and the time that it stated is not over.';
      return { ...limited(what, Math.ceil(restMs), `rests for ${Math.ceil(restMs)} ms`), counts: false };
    }
    const account = `${key} ${source ? credentialsOf(source, ports.settings) : ''}`;
    const limit = accountLimits.get(account);
    const limitMs = limit ? limit.untilMs - ports.clock.now() : 0;
    if (limit && limitMs > 0) return { ...limit.outcome, retryAfterMs: limitMs, counts: false };
    accountLimits.delete(account);
    const outcome = await ask();
    if (outcome.tag === 'refused' && outcome.account && outcome.retryAfterMs !== undefined)
      accountLimits.set(account, { outcome, untilMs: ports.clock.now() + outcome.retryAfterMs });
    if (outcome.tag === 'limited' && outcome.counts !== false)
      await ports.pace.rest(key, Math.min(outcome.retryAfterMs ?? DEFAULT_REST_MS, MAX_WAIT_MS));
    return outcome;
  }

  /** Asks the source until the deadline or the end of the work's signal, whichever is first. */
  function outcomeOf(work: Work, deadlineMs: number, record: RecordExchange | undefined): Promise<Outcome<Resource>> {
    const over = new AbortController();
    const attempt = { signal: over.signal, deadlineMs, account: work.account ?? '', ...(record && { record }) };
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        over.abort('over');
        end();
        resolve(timeout('The source did not answer in time.'));
      };
      const cancel = after(ports.clock, work.leftMs, stop);
      work.signal?.addEventListener('abort', stop, { once: true });
      const end = (): void => {
        cancel();
        work.signal?.removeEventListener('abort', stop);
      };
      if (work.signal?.aborted) stop();
      unlessResting(work, () => askOf(work)(work.input, attempt))
        .then(resolve, reject)
        .finally(end);
    });
  }

  return {
    async attempt(work) {
      const { clock } = ports;
      const recording = recorder?.begin(work as Work);
      try {
        const outcome = await outcomeOf(work as Work, clock.now() + work.leftMs, recording?.record);
        const serialised = await serialise(work.operation, outcome, check, clock.now());
        recording?.end(serialised);
        return serialised;
      } catch (error) {
        recording?.end(undefined);
        throw new DefectError(work.source, error);
      }
    },
    async ready() {},
    async close() {},
  };
}
