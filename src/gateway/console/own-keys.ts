import type { Session } from '../../accounts/sessions/sessions.ts';
import { ADMIN_ACTIONS } from '../../contract/admin/actions.ts';
import { type AdminAction, requestsOf, without } from '../../contract/admin/define.ts';
import { ServiceError } from '../../contract/errors.ts';
import { createFieldReader } from '../admin/routes.ts';
import type { KeyAdmin } from '../parts.ts';

/**
 * The actions on keys that the table of the operator's actions opens to sessions, on the keys of the session's account. A session whose key has
 * limits sees, replaces and revokes this key only. `body`: parsed JSON, {} without a body.
 */
export const ownKeyRoutes = () =>
  Object.entries<AdminAction>(ADMIN_ACTIONS).flatMap(([name, action]) => {
    const { session: needs, operatorFields = [] } = action;
    if (!needs) return [];
    return requestsOf(action).map(({ method, path, inPath, fields }) => {
      const read = createFieldReader({ method, fields: without(fields, operatorFields) });
      return {
        method,
        path: `/console/api${path}`,
        async run(session: Session, admin: KeyAdmin, body: unknown, params: Readonly<Record<string, string>>): Promise<unknown> {
          demandRights(session, needs);
          if (name === 'listKeys') return keysOf(session, admin);
          const given = await read(body);
          const target = inPath.length ? { keyId: await ownKeyId(session, admin, params) } : { accountId: accountOf(session) };
          return (admin[name as keyof KeyAdmin] as (input: object) => Promise<unknown>)({ ...given, ...target });
        },
      };
    });
  });

function accountOf({ owner }: Session): string {
  if (owner.kind !== 'account') throw new Error('a session without an account has no keys');
  return owner.accountId;
}

async function keysOf(session: Session, admin: KeyAdmin) {
  const keys = await admin.listKeys({ accountId: accountOf(session) });
  return session.limited ? keys.filter((key) => key.keyId === session.caller?.keyId) : keys;
}

/** The key of the path, if the session may manage it. The answer is the same for keys of others and for keys that do not exist. */
async function ownKeyId(session: Session, admin: KeyAdmin, { keyId = '' }: Readonly<Record<string, string>>): Promise<string> {
  const own = (await keysOf(session, admin)).some((key) => key.keyId === keyId);
  if (!own) throw new ServiceError('NOT_FOUND', `There is no key ${keyId.slice(0, 100)}.`);
  return keyId;
}

function demandRights(session: Session, needs: AdminAction['session']): void {
  if (needs !== 'any' && !session.manages)
    throw new ServiceError(
      'FORBIDDEN',
      'This session only reads keys: sign in with a key made by "sightline keys create --manage", or by a link, which "sightline console" prints.',
    );
  if (needs === 'unlimited manager' && session.limited)
    throw new ServiceError(
      'FORBIDDEN',
      'The key of this session has limits, so that it may neither make nor change keys: sign in with a key without limits.',
    );
}
