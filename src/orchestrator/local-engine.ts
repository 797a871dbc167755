import type { OperationId, Resource } from '../contract/operations/index.ts';
import { type Outcome, timeout } from '../sources/outcome.ts';
import { type Ask, type Asks, nameOf, type Ports, type Source } from '../sources/source.ts';
import { inAttempt } from '../upstream/attempt-context.ts';
import { type Check, createCheck } from './check.ts';
import { type AttemptRecorder, DefectError, type Engine, type Work } from './engine.ts';
import { serialise } from './serialise.ts';
import { createRests } from './source-rest.ts';

/** Runs every attempt in this process. A source is opened on its first attempt and reused. */
export function createLocalEngine(
  sources: readonly Source[],
  ports: Ports,
  recorder?: AttemptRecorder,
  check: Check = createCheck(),
): Engine {
  const opened = new Map<string, Asks>();
  const rests = createRests(sources, ports.pace);
  const askOf = <Id extends OperationId>(work: Work<Id>): Ask<Id> => {
    let asks = opened.get(sourceKey(work));
    if (!asks) {
      const source = sources.find((s) => nameOf(s) === work.source && s.operations.includes(work.operation));
      if (!source) throw new Error(`there is no source ${work.source} for ${work.operation}`);
      asks = source.open(ports);
      for (const operation of source.operations) opened.set(sourceKey({ source: nameOf(source), operation }), asks);
    }
    const ask = asks[work.operation] as Ask<Id> | undefined;
    if (!ask) throw new Error(`source ${work.source} does not answer ${work.operation}, though it declares it`);
    return ask;
  };

  return {
    async attempt(work) {
      const over = new AbortController();
      const done = new AbortController();
      const abort = () => {
        over.abort('over');
        done.abort('over');
      };
      work.signal?.addEventListener('abort', abort, { once: true });
      if (work.signal?.aborted) abort();
      const { clock } = ports;
      const deadlineMs = clock.now() + work.leftMs;
      const recording = recorder?.begin(work as Work);
      const context = { account: work.account ?? '', deadlineMs, ...(recording && { record: recording.record }) };
      let outcome: Outcome<Resource<typeof work.operation>>;
      try {
        outcome = await Promise.race([
          // async, so that a synchronous throw of the source is a rejection too
          (async () => rests.around(work, () => inAttempt(context, () => askOf(work)(work.input, { signal: over.signal, deadlineMs }))))(),
          clock.sleep(work.leftMs, done.signal).then((): Outcome<Resource<typeof work.operation>> => {
            over.abort('over');
            return timeout('The source did not answer in time.');
          }),
        ]);
      } catch (error) {
        recording?.end(undefined);
        throw new DefectError(work.source, error);
      } finally {
        done.abort('done');
        work.signal?.removeEventListener('abort', abort);
      }
      const serialised = await serialise(work.operation, outcome, check, clock.now());
      recording?.end(serialised);
      return serialised;
    },
    async ready() {},
    async close() {},
  };
}

const sourceKey = (work: { source: string; operation: OperationId }): string => `${work.source} ${work.operation}`;
