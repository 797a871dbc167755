import type { Operation } from '../contract/operations/index.ts';
import { FREE, type LookupRequest, type LookupResult, type Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';

export interface FreeLookupParts {
  readonly orchestrator: Pick<Orchestrator, 'lookup'>;
  readonly settings: Settings;
  readonly clock: Pick<Clock, 'now'>;
}
export interface FreeLookup extends Pick<LookupRequest, 'input' | 'freshness' | 'requestId' | 'signal' | 'asking'> {
  readonly operation: Operation;
}

/** A lookup that nobody pays for: of the operator, or at one's own sources without a service. */
export const lookUpFree = (
  { orchestrator, settings, clock }: FreeLookupParts,
  { operation, ...asked }: FreeLookup,
): Promise<LookupResult> =>
  orchestrator.lookup({
    ...asked,
    operation: operation.id,
    charge: FREE,
    deadlineMs: clock.now() + settings[operation.deadline.setting],
  });
