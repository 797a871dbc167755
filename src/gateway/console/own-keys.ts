import type { Session } from '../../accounts/sessions/sessions.ts';
import { ServiceError } from '../../contract/errors.ts';
import { ADMIN_ROUTES, type AdminRoute } from '../admin/actions.ts';
import { createFieldReader } from '../admin/routes.ts';
import type { Method } from '../http/routing.ts';
import type { KeyAdmin } from './dependencies.ts';

/** One action on the keys of the session's account. `body`: parsed JSON, {} without a body. */
export interface OwnKeyRoute {
  readonly method: Method;
  readonly path: string;
  run(session: Session, admin: KeyAdmin, body: unknown, params: Readonly<Record<string, string>>): Promise<unknown>;
}

const readerOf = (action: AdminRoute['action']): ((body: unknown) => Promise<object>) => {
  const route = ADMIN_ROUTES.find((each) => each.action === action);
  if (!route) throw new Error(`the admin API has no action ${action}`);
  return createFieldReader(route);
};

/** The bodies and answers of the admin API, for the keys of one account. A session whose key has limits sees, replaces and revokes this key only. */
export function ownKeyRoutes(): readonly OwnKeyRoute[] {
  // a new key has the fields of a changed one: the account is that of the session
  const readLimits = readerOf('editKey');
  const readReroll = readerOf('rerollKey');
  const readRevoke = readerOf('revokeKey');
  return [
    { method: 'GET', path: '/console/api/keys', run: (session, admin) => keysOf(session, admin) },
    {
      method: 'POST',
      path: '/console/api/keys',
      async run(session, admin, body) {
        demandUnlimited(session);
        return admin.createKey({ ...(await readLimits(body)), accountId: accountOf(session) });
      },
    },
    {
      method: 'PATCH',
      path: '/console/api/keys/{keyId}',
      async run(session, admin, body, params) {
        demandUnlimited(session);
        return admin.editKey({ ...(await readLimits(body)), keyId: await ownKeyId(session, admin, params) });
      },
    },
    {
      method: 'POST',
      path: '/console/api/keys/{keyId}/reroll',
      run: async (session, admin, body, params) =>
        admin.rerollKey({ ...(await readReroll(body)), keyId: await ownKeyId(session, admin, params) }),
    },
    {
      method: 'POST',
      path: '/console/api/keys/{keyId}/revoke',
      run: async (session, admin, body, params) =>
        admin.revokeKey({ ...(await readRevoke(body)), keyId: await ownKeyId(session, admin, params) }),
    },
  ];
}

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

function demandUnlimited(session: Session): void {
  if (session.limited)
    throw new ServiceError(
      'FORBIDDEN',
      'The key of this session has limits, so that it may neither make nor change keys: sign in with a key without limits.',
    );
}
