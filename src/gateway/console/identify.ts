import { type Admin, AdminError } from '../../accounts/admin/types.ts';
import { OPERATOR_KEY_ID } from '../../accounts/sessions/sessions.ts';
import type { Caller } from '../../accounts/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import { credentialOf } from '../admission/credentials.ts';
import type { Identified, Identify } from '../admission/identify.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Entrance } from './entrance.ts';

const MISSING: Identified = { ok: false, reason: 'missing' };
const NONE: Identified = { ok: false, reason: 'none' };

/** The caller of an account's session: its key, or its account where a code opened it. */
export const identifySession =
  (entrance: Entrance) =>
  async ({ request }: RequestContext): Promise<Identified> => {
    const session = await entrance.sessionOf(request);
    if (session === 'missing') return MISSING;
    return session === 'ended' || session.caller === null ? NONE : { ok: true, caller: session.caller };
  };

/**
 * On the admin listener the operator (admin token or session) sends requests as the account that `X-Sightline-Account` names: with its
 * credits, its ledger and its usage.
 */
export const identifyOperator =
  (entrance: Entrance, admin: Pick<Admin, 'showAccount'>): Identify =>
  async ({ request }) => {
    const credential = credentialOf(request.headers);
    if (credential.kind === 'none') {
      const session = await entrance.sessionOf(request);
      if (session === 'missing') return MISSING;
      if (session === 'ended') return NONE;
    } else if (credential.kind === 'unusable' || !entrance.isAdminToken(credential.value)) return NONE;
    const accountId = request.headers['x-sightline-account'];
    if (typeof accountId !== 'string' || accountId === '')
      throw new ServiceError('INVALID_REQUEST', 'X-Sightline-Account is missing: name the id of the account that pays for this request.');
    return { ok: true, caller: await callerOf(admin, accountId) };
  };

async function callerOf(admin: Pick<Admin, 'showAccount'>, accountId: string): Promise<Caller> {
  const account = await admin.showAccount({ accountId }).catch((error: unknown) => {
    throw error instanceof AdminError ? new ServiceError('NOT_FOUND', `X-Sightline-Account: ${error.message}`) : error;
  });
  if (account.suspendedAt !== null)
    throw new ServiceError('FORBIDDEN', `X-Sightline-Account: the account ${accountId} is suspended: resume it first.`);
  return { accountId: account.accountId, keyId: OPERATOR_KEY_ID, operations: null, ratePerSecond: null, rateBurst: null };
}
