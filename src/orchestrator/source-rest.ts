import type { OperationId, Resource } from '../contract/operations/index.ts';
import { limited, MAX_WAIT_MS, type Outcome } from '../sources/outcome.ts';
import type { Source } from '../sources/source.ts';
import type { Pace } from '../upstream/ports.ts';
import type { Work } from './engine.ts';

/** Rest after a limit without a stated time. */
const DEFAULT_REST_MS = 30_000;

export interface Rests {
  /** Makes the attempt unless the source rests. After `limited` the source rests for the stated time. */
  around<Id extends OperationId>(work: Work<Id>, attempt: () => Promise<Outcome<Resource<Id>>>): Promise<Outcome<Resource<Id>>>;
}

/** Key of a source's rest. `part`: '' for the whole source. */
export const restKeyOf = (source: Pick<Source, 'id'>, part: string): string => `source ${source.id} ${part}`.trim();

/** Rests of sources, stored with the pace (in Redis for a fleet). Sources with the same id are one provider and rest together. */
export function createRests(sources: readonly Source[], pace: Pace): Rests {
  const keyOf = ({ source: name, operation, input }: Work): string => {
    const source = sources.find((s) => s.id === name);
    return restKeyOf(source ?? { id: name }, source?.limitedByPart ? (source.partOf?.(operation, input) ?? '') : '');
  };
  return {
    async around(work, attempt) {
      const key = keyOf(work as Work);
      const restMs = await pace.resting(key);
      if (restMs > 0) {
        const what = 'The source limits the number of requests, and the time that it stated is not over.';
        return { ...limited(what, Math.ceil(restMs), `rests for ${Math.ceil(restMs)} ms`), counts: false };
      }
      const outcome = await attempt();
      if (outcome.tag === 'limited' && outcome.counts !== false)
        await pace.rest(key, Math.min(outcome.retryAfterMs ?? DEFAULT_REST_MS, MAX_WAIT_MS));
      return outcome;
    },
  };
}
