import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../store/tables.ts';

type Aliased = Tables & { readonly d: Tables['watch_deliveries'] };

/** No earlier message of its watch to its target waits: later ones wait for the first. */
export const isFirstWaiting = ({ not, exists, selectFrom }: ExpressionBuilder<Aliased, 'd'>) =>
  not(
    exists(
      selectFrom('watch_deliveries as earlier')
        .select('earlier.cursor')
        .whereRef('earlier.watch', '=', 'd.watch')
        .whereRef('earlier.target', '=', 'd.target')
        .whereRef('earlier.cursor', '<', 'd.cursor')
        .where('earlier.next_at', 'is not', null),
    ),
  );
