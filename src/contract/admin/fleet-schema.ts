import { count, flag, nullable, record } from '../schema.ts';
import type { ValueOf } from './define.ts';

const MEMBERS = { gateways: count('Gateways.'), workers: count('Workers.') };

/** Members of the fleet at the last heartbeat; null: a single process. */
export const FleetState = nullable(
  record({
    up: flag('False while Redis is unavailable.'),
    ...MEMBERS,
    credentials: record(MEMBERS, 'Of these the ones that have loaded the same entered credentials of sources as the process that answers.'),
  }),
);
export type FleetState = ValueOf<typeof FleetState>;
