import Type from 'typebox';
import type { Caller } from '../accounts/types.ts';
import type { Account, AccountUsage } from '../contract/account.ts';
import { ServiceError } from '../contract/errors.ts';
import { bad, good, optional, type Parameter, type Read, readInput } from '../contract/input.ts';
import { admitAtDoor, admitCaller, freeCredits, refuseBody, ruleOf } from './admit.ts';
import { refusalOf, writeJson } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { refuseKnown } from './lookup.ts';
import { readQuery } from './query.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A day of the calendar, UTC. */
function readDay(text: string): Read<string> {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && dayOf(ms) === text ? good(text) : bad('must be a day, such as 2026-01-31');
}
const day = (name: string, example: string): Parameter =>
  optional({ name, description: 'Day, UTC.', example, schema: Type.String(), read: readDay });
const USAGE_PARAMETERS = [day('from', '2026-01-01'), day('to', '2026-01-31')];

/** What the account routes answer to a caller that is known. */
type Serve = (x: Exchange, caller: Caller, given: Readonly<Record<string, unknown>>) => Promise<unknown>;
export interface AccountRoute {
  readonly path: string;
  readonly operation: string;
  readonly parameters: readonly Parameter[];
  readonly serve: Serve;
}

async function account(x: Exchange, caller: Caller): Promise<Account> {
  const view = await x.desk.accounts.view(caller);
  const { ratePerSecond, burst } = ruleOf(caller, x.desk.accountRule);
  return {
    accountId: view.accountId,
    name: view.name,
    credits: { ...view.credits },
    key: { ...view.key, operations: view.key.operations && [...view.key.operations] },
    limits: { ratePerSecond, burst },
  };
}

async function usage(x: Exchange, caller: Caller, given: Readonly<Record<string, unknown>>): Promise<AccountUsage> {
  const to = typeof given.to === 'string' ? given.to : dayOf(x.at);
  const from = typeof given.from === 'string' ? given.from : dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw new ServiceError('INVALID_REQUEST', `Parameter from is "${from}", but it must not be after to, "${to}".`);
  if (days > MAX_DAYS) throw new ServiceError('INVALID_REQUEST', `From ${from} to ${to} are ${days} days: ask for ${MAX_DAYS} at most.`);
  return { from, to, days: (await x.desk.accounts.usage(caller, from, to)).map((d) => ({ ...d })) };
}

export const ACCOUNT_ROUTES: readonly AccountRoute[] = [
  { path: '/account', operation: 'account', parameters: [], serve: account },
  { path: '/account/usage', operation: 'account-usage', parameters: USAGE_PARAMETERS, serve: usage },
];

/** One request about the caller's own account: authenticated, limited and recorded like any, and free. Never rejects. */
export async function serveAccount(x: Exchange, route: AccountRoute): Promise<void> {
  x.desk.gate.enter();
  try {
    admitAtDoor(x);
    refuseBody(x.request);
    const caller = await admitCaller(x, null);
    const query = readQuery(x.request.url ?? '');
    const input = query.ok ? readInput(route.parameters, query.value) : query;
    if (!input.ok) throw new ServiceError('INVALID_REQUEST', input.why);
    const body = await route.serve(x, caller, input.value);
    x.remaining = await freeCredits(x, caller);
    writeJson(x, body);
  } catch (thrown) {
    await refuseKnown(x, null, refusalOf(x, thrown));
  } finally {
    x.desk.gate.leave();
  }
}
