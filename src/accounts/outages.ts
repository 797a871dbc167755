import { createOutage, type Outage } from '../outside/outage.ts';
import type { Clock } from '../outside/world.ts';
import type { StoreLog } from '../store/store.ts';

/** The store takes no writes: told by all who write, so that the log has it once. */
export const writesOutage = (clock: Clock, log: StoreLog): Outage =>
  createOutage(clock, log, {
    begins: 'store: writes fail',
    lasts: 'store: writes still fail',
    ends: 'store: writes succeed again',
  });
