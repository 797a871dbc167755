import { actorOf, type Session } from '../../accounts/sessions/sessions.ts';
import { ADMIN_ACTIONS } from '../../contract/admin/actions.ts';
import { type AdminAction, requestsOf, without } from '../../contract/admin/define.ts';
import type { ConsoleSession, ConsoleSessions } from '../../contract/contract-view.ts';
import { invalid, missing, ServiceError } from '../../contract/errors.ts';
import { operationList } from '../../contract/operations/index.ts';
import { readPasted } from '../../contract/parameters/pasted.ts';
import { instant } from '../../runtime/clock.ts';
import { createFieldReader, fieldsOf } from '../admin/routes.ts';
import { challenge, demandAddress } from '../admission/credentials.ts';
import type { Method, Route } from '../http/listener.ts';
import { demandNoUnreadBody, queryOf } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { ConsoleDependencies, KeyAdmin } from '../parts.ts';
import { openSession, ownerName, readSignIn, wrongSignIn } from './sign-in.ts';

const MAX_BODY_BYTES = 16_384;
const OPERATION = 'console';

type Params = Readonly<Record<string, string>>;
type Serve = (context: RequestContext, params: Params, addressKey: string) => Promise<void>;

/** `/console/api/*` of one entrance: sessions, and on the public listener the keys of the account. */
export function consoleApiRoutes(dependencies: ConsoleDependencies): readonly Route[] {
  const { admission, responder, entrance, console } = dependencies;
  const { sessions } = console;

  const unauthorized = (words: string, given: boolean): ServiceError =>
    new ServiceError('UNAUTHORIZED', words, {
      'www-authenticate': challenge(given, null),
      ...(given && { 'set-cookie': entrance.cookie.clear }),
    });

  /** 401 without a valid session; 403 for a page of another origin, or an address that the session's key may not be used from. */
  async function demandSession(context: RequestContext, addressKey: string): Promise<Session> {
    const session = await entrance.sessionOf(context.request);
    if (session === 'missing') throw unauthorized('There is no session: sign in.', false);
    if (session === 'ended') {
      await admission.countWrongCredentials(context, addressKey);
      throw unauthorized('The session has ended: sign in again.', true);
    }
    demandAddress(session.caller?.addresses, context);
    return session;
  }

  const route = (method: Method, path: string, serve: Serve, readsBody = false): Route => ({
    methods: method === 'GET' ? ['GET', 'HEAD'] : [method],
    path,
    operation: OPERATION,
    ...(readsBody && { maxBodyBytes: MAX_BODY_BYTES }),
    serve: async (context, params) => serve(context, params, await admission.admitAddress(context)),
  });
  const withSession = (
    method: Method,
    path: string,
    serve: (context: RequestContext, session: Session, params: Params) => Promise<void>,
    readsBody = false,
  ): Route =>
    route(
      method,
      path,
      async (context, params, addressKey) => {
        const session = await demandSession(context, addressKey);
        // a change is a request of the account; what the pages read is not
        if (method !== 'GET') context.caller = session.caller;
        if (method !== 'GET') await admission.admitChange(context, ownerName(session.owner));
        if (!readsBody) demandNoUnreadBody(context.request);
        await serve(context, session, params);
      },
      readsBody,
    );

  const signIn: Serve = async (context, _params, addressKey) => {
    const { request } = context;
    entrance.demandOwnPage(request);
    const given = readSignIn(entrance.kind, await admission.readJson(context));
    const opened = await openSession(dependencies, context, given);
    if (!opened) {
      await admission.countWrongCredentials(context, addressKey);
      throw wrongSignIn(given.field);
    }
    responder.writeJson(context, sessionView(opened.session), ['Set-Cookie', opened.cookie]);
  };
  const ended = (context: RequestContext, count: number, signedOut: boolean): void =>
    responder.writeJson(context, { ended: count }, signedOut ? ['Set-Cookie', entrance.cookie.clear] : []);

  /** The actions on keys that the table opens to sessions. A session whose key has limits sees, replaces and revokes this key only. */
  const ownKeyRoutes = (): readonly Route[] =>
    Object.entries<AdminAction>(ADMIN_ACTIONS).flatMap(([name, action]) => {
      const { session: needs, operatorFields = [] } = action;
      if (!needs) return [];
      return requestsOf(action).map(({ method, path, inPath, fields }) => {
        const read = createFieldReader({ method, fields: without(fields, operatorFields) });
        return withSession(
          method,
          `/console/api${path}`,
          async (context, session, params) => {
            const sent = method === 'GET' ? fieldsOf(queryOf(context.request)) : await admission.readJson(context);
            demandRights(session, needs);
            const { accountId, keyId } = accountOf(session);
            const admin = console.adminAs(actorOf(accountId, keyId), keyId ?? session.sessionId);
            const given = read(sent);
            if (name === 'listKeys') return responder.writeJson(context, await keysOf(session, admin));
            const target = inPath.length ? { keyId: await ownKeyId(session, admin, params) } : { accountId };
            const run = admin[name as keyof KeyAdmin] as (input: object) => Promise<unknown>;
            responder.writeJson(context, await run({ ...given, ...target }));
          },
          method !== 'GET',
        );
      });
    });

  return [
    route('POST', '/console/api/session', signIn, true),
    withSession('GET', '/console/api/session', async (context, session) => responder.writeJson(context, sessionView(session))),
    withSession('GET', '/console/api/ways', async (context) => responder.writeJson(context, { operations: console.ways?.() ?? [] })),
    withSession('GET', '/console/api/pasted', async (context) => responder.writeJson(context, readAddresses(context.request.url ?? ''))),
    withSession('DELETE', '/console/api/session', async (context, session) => {
      await sessions.endOne(session, session.sessionId);
      ended(context, 1, true);
    }),
    withSession('GET', '/console/api/sessions', async (context, session) =>
      responder.writeJson(context, listView(await sessions.list(session), session)),
    ),
    withSession('DELETE', '/console/api/sessions', async (context, session) => ended(context, await sessions.endAll(session), true)),
    withSession('DELETE', '/console/api/sessions/{sessionId}', async (context, session, { sessionId = '' }) => {
      if (!(await sessions.endOne(session, sessionId))) throw missing(`There is no session ${sessionId.slice(0, 100)}.`);
      ended(context, 1, sessionId === session.sessionId);
    }),
    ...(entrance.kind === 'account' ? ownKeyRoutes() : []),
  ];
}

/** `?operation=…&…`: the parameters of a form, where a pasted address is replaced by the value that the service reads from it. */
function readAddresses(url: string): ReturnType<typeof readPasted> {
  const pairs = queryOf({ url });
  const id = pairs.find(([name]) => name === 'operation')?.[1];
  const operation = operationList.find((each) => each.id === id);
  if (!operation) throw invalid('operation must be the id of an operation.');
  return readPasted(
    operation.parameters,
    pairs.filter(([name]) => name !== 'operation'),
  );
}

const sessionView = ({ owner, name, limited, manages, createdAt, idleExpiresAt, expiresAt }: Session): ConsoleSession => ({
  kind: owner.kind,
  accountId: owner.kind === 'account' ? owner.accountId : null,
  name,
  keyId: owner.kind === 'account' ? owner.keyId : null,
  limited,
  manages,
  createdAt: instant(createdAt),
  idleExpiresAt: instant(idleExpiresAt),
  expiresAt: instant(expiresAt),
});

const listView = (list: readonly Session[], { sessionId: current }: Session): ConsoleSessions => ({
  sessions: list.map(({ sessionId, createdAt, lastUsedAt, expiresAt }) => ({
    sessionId,
    createdAt: instant(createdAt),
    lastUsedAt: instant(lastUsedAt),
    expiresAt: instant(expiresAt),
    current: sessionId === current,
  })),
});

function accountOf({ owner }: Session) {
  if (owner.kind !== 'account') throw new Error('a session without an account has no keys');
  return owner;
}

async function keysOf(session: Session, admin: KeyAdmin) {
  const keys = await admin.listKeys({ accountId: accountOf(session).accountId });
  return session.limited ? keys.filter((key) => key.keyId === session.caller?.keyId) : keys;
}

/** The key of the path, if the session may manage it. The answer is the same for keys of others and for keys that do not exist. */
async function ownKeyId(session: Session, admin: KeyAdmin, { keyId = '' }: Readonly<Record<string, string>>): Promise<string> {
  const own = (await keysOf(session, admin)).some((key) => key.keyId === keyId);
  if (!own) throw missing(`There is no key ${keyId.slice(0, 100)}.`);
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
