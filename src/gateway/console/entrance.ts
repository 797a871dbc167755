import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { OperatorKey } from '../../accounts/admin/operator-key.ts';
import { SESSION_MAX_MS, type Session, type SessionOwner, type Sessions } from '../../accounts/sessions/sessions.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isSameSecret } from '../admission/credentials.ts';

/** One of the two entrances to the console: for holders of an account on the public listener, for the operator on the admin listener. */
export type Entrance = ReturnType<typeof createEntrance>;

export interface EntranceParts {
  /** The token of the admin listener; null: the entrance on the public listener. */
  readonly adminToken: string | null;
  /** Accepted beside the token; default: there is none. */
  readonly operatorKey?: OperatorKey;
  readonly publicUrl: string | null;
}

export function createEntrance(sessions: Pick<Sessions, 'find'>, { adminToken, operatorKey, publicUrl }: EntranceParts) {
  const kind: SessionOwner['kind'] = adminToken === null ? 'account' : 'operator';
  const cookie = createSessionCookie(kind, publicUrl?.startsWith('https:') ?? false);
  const adminTokenHash = adminToken && hash('sha256', adminToken, 'hex');
  const isOwn = async ({ owner }: Session): Promise<boolean> => {
    if (owner.kind === 'account' || kind === 'account') return owner.kind === kind;
    return owner.adminTokenHash === adminTokenHash || owner.adminTokenHash === (await operatorKey?.hash());
  };
  return {
    kind,
    cookie,
    operator: adminTokenHash === null ? null : { kind: 'operator' as const, adminTokenHash },
    /** The owner of sessions that a text opens, the token of the admin listener or the operator's key; null for others, and on the public listener. */
    async operatorBy(text: string): Promise<Extract<SessionOwner, { kind: 'operator' }> | null> {
      if (adminToken === null) return null;
      const opens = isSameSecret(text, adminToken) ? adminTokenHash : ((await operatorKey?.hashIf(text)) ?? null);
      return opens === null ? null : { kind: 'operator', adminTokenHash: opens };
    },
    /** Throws a ServiceError 403 for a request from a page of another origin. */
    demandOwnPage: (request: IncomingMessage, message?: string): void => demandOwnPage(request, publicUrl, message),
    /** The session of the cookie; `ended`: not valid any more, or of the other entrance. Throws FORBIDDEN for a page of another origin. */
    async sessionOf(request: IncomingMessage): Promise<Session | 'missing' | 'ended'> {
      const token = cookie.read(request);
      if (token === null) return 'missing';
      demandOwnPage(request, publicUrl);
      const session = await sessions.find(token);
      return session && (await isOwn(session)) ? session : 'ended';
    },
  };
}

/** One name for each listener: browsers share cookies between ports. `__Host-` keeps other hosts and paths from setting it, and needs https. */
function createSessionCookie(kind: 'account' | 'operator', https: boolean) {
  const name = `${https ? '__Host-' : ''}sightline_${kind}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${https ? '; Secure' : ''}`;
  return {
    /** Its value; null: the request has no such cookie, or several of this name, of which none can be trusted. */
    read({ headers: { cookie } }: IncomingMessage): string | null {
      if (cookie === undefined) return null;
      const values = cookie.split(';').flatMap((pair) => {
        const equals = pair.indexOf('=');
        return pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
      });
      return values.length === 1 ? (values[0] ?? null) : null;
    },
    store: (token: string) => `${name}=${token}; Max-Age=${SESSION_MAX_MS / 1000}; ${attributes}`,
    clear: `${name}=; Max-Age=0; ${attributes}`,
  };
}

/** Header that the console sends with every request: a page of another origin cannot add it without a CORS preflight. */
const CONSOLE_HEADER = 'x-sightline-console';

/**
 * Refuses a request that a page of another origin may have caused (403): one with a session cookie, or one that opens a session.
 * `Sec-Fetch-Site` decides. Browsers leave it out on plain http beyond loopback: there an equal `Origin` is required, or for GET and HEAD
 * the header of the console. `publicUrl`: the address of the service if it is known; else `Origin` is compared with `Host`.
 */
export function demandOwnPage(
  { method = 'GET', headers }: IncomingMessage,
  publicUrl: string | null,
  message = 'A session of the console is accepted from the pages of the console alone: send an API key as X-API-Key or Authorization: Bearer.',
): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const own =
    site !== undefined
      ? site === 'same-origin'
      : origin !== undefined
        ? isOwnOrigin(origin, publicUrl, headers.host)
        : (method === 'GET' || method === 'HEAD') && headers[CONSOLE_HEADER] === '1';
  if (!own) throw new ServiceError('FORBIDDEN', message);
}

function isOwnOrigin(origin: string, publicUrl: string | null, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return publicUrl === null ? url.host === host : url.origin === new URL(publicUrl).origin;
}
