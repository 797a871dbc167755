import { OPERATOR_KEY_ID } from '../../accounts/sessions/sessions.ts';
import type { Accounts, Authentication, Caller } from '../../accounts/types.ts';
import type { Admin } from '../../contract/admin/actions.ts';
import { invalid, missing, ServiceError } from '../../contract/errors.ts';
import type { Entrance } from '../console/entrance.ts';
import type { RequestContext } from '../http/request-context.ts';
import { credentialOf } from './credentials.ts';

/** `missing`: the request carries no credentials. */
export type Identified = Authentication | { readonly ok: false; readonly reason: 'missing' };
/** Which credentials an endpoint accepts: API keys and tokens in headers, or the cookie of a console session too. */
export type Accepted = 'header' | 'header or session';
/** Finds out who sent a request. Throws a ServiceError where the request may not use the credentials that it carries. */
export type Identify = (context: RequestContext, accepted: Accepted) => Promise<Identified>;

const MISSING: Identified = { ok: false, reason: 'missing' };
const MALFORMED: Identified = { ok: false, reason: 'malformed' };

const NONE: Identified = { ok: false, reason: 'none' };

/** A credential in a header outranks the cookie, which a browser adds to every request. `entrance` null: there are no sessions. */
export const createIdentify =
  (accounts: Pick<Accounts, 'authenticate'>, entrance: Entrance | null): Identify =>
  async ({ request, atMs }, accepted) => {
    const credential = credentialOf(request.headers);
    if (credential.kind === 'given') return accounts.authenticate(credential.value, atMs);
    if (credential.kind === 'unusable') return MALFORMED;
    const session = entrance && accepted === 'header or session' ? await entrance.sessionOf(request) : 'missing';
    if (session === 'missing') return MISSING;
    return session === 'ended' || session.caller === null ? NONE : { ok: true, caller: session.caller };
  };

/** On the admin listener the operator sends requests as the account of `X-Sightline-Account`: with its credits, ledger and usage. */
export const identifyOperator =
  (entrance: Entrance, admin: Pick<Admin, 'showAccount'>): Identify =>
  async ({ request }) => {
    const credential = credentialOf(request.headers);
    let isSession = false;
    if (credential.kind === 'none') {
      const session = await entrance.sessionOf(request);
      if (session === 'missing') return MISSING;
      if (session === 'ended') return NONE;
      isSession = true;
    } else if (credential.kind === 'unusable' || !(await entrance.operatorBy(credential.value))) return NONE;
    const accountId = request.headers['x-sightline-account'];
    if (typeof accountId !== 'string' || accountId === '')
      throw invalid('X-Sightline-Account is missing: name the id of the account that pays for this request.');
    const caller = await callerOf(admin, accountId);
    return { ok: true, caller: isSession ? { ...caller, session: 'manages' } : caller };
  };

async function callerOf(admin: Pick<Admin, 'showAccount'>, accountId: string): Promise<Caller> {
  const account = await admin.showAccount({ accountId }).catch((error: unknown) => {
    throw error instanceof ServiceError && error.status < 500 ? missing(`X-Sightline-Account: ${error.message}`) : error;
  });
  if (account.suspendedAt !== null)
    throw new ServiceError('FORBIDDEN', `X-Sightline-Account: the account ${accountId} is suspended: resume it first.`);
  return { accountId: account.accountId, keyId: OPERATOR_KEY_ID, operations: null, ratePerSecond: null, rateBurst: null, manages: true };
}
