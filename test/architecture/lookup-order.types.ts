/**
 * Orders of a paid lookup that must not compile: `npm run types` fails where one does. Nothing here runs.
 */
import type { Payer } from '../../src/billing/charge.ts';
import type { Lookups } from '../../src/lookups/paid-lookup.ts';
import type { Admitted, Answered, Arrived, Asked, LookupCall, Priced, Refused } from '../../src/lookups/states.ts';

declare const lookups: Lookups;
declare const arrived: Arrived;
declare const payer: Payer;
declare const admitted: Admitted;
declare const call: LookupCall;
declare const asked: Asked;
declare const priced: Priced;
declare const answered: Answered;
declare const refused: Refused;

export const wrongOrders = async (): Promise<void> => {
  // @ts-expect-error nobody asks who was not admitted
  lookups.ask({ arrived, caller: payer }, call);
  // @ts-expect-error nothing is looked up that has no price
  await asked.run();
  // @ts-expect-error nothing is delivered before it is looked up
  await priced.deliver(() => undefined);
  // @ts-expect-error an answer is charged by its delivery alone, in the turn in which its hold is valid
  answered.delivered();
  // @ts-expect-error what was refused is not delivered
  await refused.deliver(() => undefined);
  // @ts-expect-error the end of a lookup is an answer only where it says so
  (await priced.run()).cached;
  // the right order
  const ended = asked.cached() ?? (await lookups.ask(admitted, call).price().run());
  if (ended.ok) await ended.deliver((answer) => answer.delivered());
};
