import type { Clock } from '../runtime/clock.ts';
import { createOutage, type Outage } from '../runtime/outage.ts';
import type { StoreLog } from './store.ts';

/** The store takes no writes: told by all who write, so that the log has it once. */
export const writesOutage = (clock: Clock, log: StoreLog): Outage =>
  createOutage(clock, log, {
    begins: 'store: writes fail',
    lasts: 'store: writes still fail',
    ends: 'store: writes succeed again',
  });
