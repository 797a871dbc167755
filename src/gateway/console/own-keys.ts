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

/** The fields of an action of the admin API, without those that are the operator's. */
const readerOf = (action: AdminRoute['action'], ...operators: readonly string[]): ((body: unknown) => Promise<object>) => {
  const route = ADMIN_ROUTES.find((each) => each.action === action);
  if (!route) throw new Error(`the admin API has no action ${action}`);
  const properties = Object.fromEntries(Object.entries(route.fields.properties).filter(([name]) => !operators.includes(name)));
  return createFieldReader({ ...route, fields: { ...route.fields, properties } });
};

/**
 * The bodies and answers of the admin API, for the keys of one account. A session changes keys if a code opened it, or a key that manages
 * keys; one whose key has limits sees, replaces and revokes this key only.
 */
export function ownKeyRoutes(): readonly OwnKeyRoute[] {
  // the account is that of the session
  const readNew = readerOf('createKey', 'accountId');
  const readLimits = readerOf('editKey');
  const readReroll = readerOf('rerollKey');
  const readRevoke = readerOf('revokeKey', 'keepDescendants');
  return [
    { method: 'GET', path: '/console/api/keys', run: (session, admin) => keysOf(session, admin) },
    {
      method: 'POST',
      path: '/console/api/keys',
      async run(session, admin, body) {
        demandManager(session);
        demandUnlimited(session);
        return admin.createKey({ ...(await readNew(body)), accountId: accountOf(session) });
      },
    },
    {
      method: 'PATCH',
      path: '/console/api/keys/{keyId}',
      async run(session, admin, body, params) {
        demandManager(session);
        demandUnlimited(session);
        return admin.editKey({ ...(await readLimits(body)), keyId: await ownKeyId(session, admin, params) });
      },
    },
    {
      method: 'POST',
      path: '/console/api/keys/{keyId}/reroll',
      async run(session, admin, body, params) {
        demandManager(session);
        return admin.rerollKey({ ...(await readReroll(body)), keyId: await ownKeyId(session, admin, params) });
      },
    },
    {
      method: 'POST',
      path: '/console/api/keys/{keyId}/revoke',
      async run(session, admin, body, params) {
        demandManager(session);
        return admin.revokeKey({ ...(await readRevoke(body)), keyId: await ownKeyId(session, admin, params) });
      },
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

function demandManager(session: Session): void {
  if (!session.manages)
    throw new ServiceError(
      'FORBIDDEN',
      'This session only reads keys: sign in with a key made by "sightline keys create --manage", or by a link, which "sightline console" prints.',
    );
}

function demandUnlimited(session: Session): void {
  if (session.limited)
    throw new ServiceError(
      'FORBIDDEN',
      'The key of this session has limits, so that it may neither make nor change keys: sign in with a key without limits.',
    );
}
