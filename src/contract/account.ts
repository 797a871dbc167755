import Type, { type Static } from 'typebox';
import { count, orNull, record, text, words } from './shape.ts';

/** `GET /account`: what the caller's credentials stand for. */
export const Account = record({
  accountId: text('Id of the account.'),
  name: text('Name of the account.'),
  credits: record({ balance: count('Credits of the account, held ones included.'), held: count('Credits held for lookups that run.') }),
  key: record({
    keyId: text('Id of the key; never the key itself.'),
    label: text('Label of the key.'),
    createdAt: text('When the key was made.'),
    expiresAt: orNull.text('When the key ends; null: never.'),
    operations: Type.Union([words('Ids of the operations that the key may use.'), Type.Null()]),
  }),
  limits: record({ ratePerSecond: count('Requests a second, sustained.'), burst: count('Requests at once.') }),
});
export type Account = Static<typeof Account>;

/** `GET /account/usage`: requests and credits by day, operation and status. */
export const AccountUsage = record({
  from: text('First day, `YYYY-MM-DD`, UTC.'),
  to: text('Last day, included.'),
  days: Type.Array(
    record({
      day: text('Day, `YYYY-MM-DD`, UTC.'),
      operation: text('Id of the operation.'),
      status: count('HTTP status.'),
      requests: count('Number of requests.'),
      credits: count('Credits charged.'),
    }),
    { description: 'One entry for each day, operation and status.' },
  ),
});
export type AccountUsage = Static<typeof AccountUsage>;

/** `GET /healthz` and `GET /readyz`. */
export const Health = record({ status: text('`ok` or `ready`.'), version: text('Version of the service.') });

/** The exact body of every error. */
export const ErrorSchema = record(
  {
    error: record({
      code: text('Stable code: programs decide by it.'),
      message: text('What was wrong, with which value, and what to do.'),
    }),
  },
  'Every error has this body.',
);
