import { count, flag, nullable, record, words } from '../schema.ts';
import type { ValueOf } from './define.ts';

const MEMBERS = { gateways: count('Gateways.'), workers: count('Workers.') };

/** Members of the fleet at the last heartbeat; null: a single process. */
export const FleetState = nullable(
  record({
    up: flag('False while Redis is unavailable.'),
    ...MEMBERS,
    credentials: record(
      {
        ...MEMBERS,
        behind: words('The processes that have not: host, process id and a name of its own, as its log line “joined the fleet” has it.'),
      },
      'Of these the ones that have loaded the same entered credentials of sources as the process that answers.',
    ),
  }),
);
export type FleetState = ValueOf<typeof FleetState>;
