import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Session, SessionOwner, Sessions } from '../../accounts/sessions/sessions.ts';
import { demandOwnPage } from './own-page.ts';
import { createSessionCookie, type SessionCookie } from './session-cookie.ts';

/** One of the two entrances to the console: for holders of an account on the public listener, for the operator on the admin listener. */
export interface Entrance {
  readonly kind: SessionOwner['kind'];
  readonly cookie: SessionCookie;
  /** Whether a text is the token of the admin listener; false on the public listener. Takes the same time for every text. */
  isAdminToken(text: string): boolean;
  /** Owner of a session of the operator; null on the public listener. */
  readonly operator: (SessionOwner & { readonly kind: 'operator' }) | null;
  /** Throws a ServiceError 403 for a request from a page of another origin. */
  demandOwnPage(request: IncomingMessage): void;
  /**
   * The session of the request's cookie: `missing` without a cookie, `ended` where it is not valid (any more) or belongs to the other
   * entrance. Throws a ServiceError 403 for a cookie on a request from a page of another origin.
   */
  sessionOf(request: IncomingMessage): Promise<Session | 'missing' | 'ended'>;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** `adminToken`: the token of the admin listener; null: the entrance on the public listener. */
export function createEntrance(
  sessions: Pick<Sessions, 'find'>,
  { adminToken, publicUrl }: { readonly adminToken: string | null; readonly publicUrl: string | null },
): Entrance {
  const kind = adminToken === null ? 'account' : 'operator';
  const cookie = createSessionCookie(kind, publicUrl?.startsWith('https:') ?? false);
  const tokenDigest = adminToken === null ? null : digest(adminToken);
  const adminTokenHash = tokenDigest?.toString('hex') ?? null;
  const isOwn = ({ owner }: Session): boolean =>
    owner.kind === 'account' ? kind === 'account' : kind === 'operator' && owner.adminTokenHash === adminTokenHash;
  return {
    kind,
    cookie,
    operator: adminTokenHash === null ? null : { kind: 'operator', adminTokenHash },
    isAdminToken: (text) => tokenDigest !== null && timingSafeEqual(digest(text), tokenDigest),
    demandOwnPage: (request) => demandOwnPage(request, publicUrl),
    async sessionOf(request) {
      const token = cookie.read(request);
      if (token === null) return 'missing';
      demandOwnPage(request, publicUrl);
      const session = await sessions.find(token);
      return session && isOwn(session) ? session : 'ended';
    },
  };
}
