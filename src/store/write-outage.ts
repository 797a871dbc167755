import type { Clock } from '../runtime/clock.ts';
import { createOutage, type Outage } from '../runtime/outage.ts';
import type { StoreLog } from './store.ts';

/** An outage of writes: every writer reports to it, so that it is logged once. */
export const writesOutage = (clock: Clock, log: StoreLog): Outage =>
  createOutage(clock, log, {
    begins: 'store: writes fail',
    lasts: 'store: writes still fail',
    ends: 'store: writes succeed again',
  });
