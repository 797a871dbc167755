import type { IncomingMessage } from 'node:http';
import { SESSION_MAX_MS } from '../../accounts/sessions/sessions.ts';

/** The cookie that holds the token of a console session. */
export interface SessionCookie {
  /** Its value; null: the request has no such cookie, or several of this name, of which none can be trusted. */
  read(request: IncomingMessage): string | null;
  /** `Set-Cookie` that stores a token. */
  store(token: string): string;
  /** `Set-Cookie` that deletes the cookie. */
  readonly clear: string;
}

/**
 * Browsers share cookies between the ports of a host, so each listener has a name of its own. `https`: the prefix `__Host-` keeps other hosts
 * and paths from setting the cookie; on plain http browsers would drop such a cookie.
 */
export function createSessionCookie(kind: 'account' | 'operator', https: boolean): SessionCookie {
  const name = `${https ? '__Host-' : ''}sightline_${kind}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${https ? '; Secure' : ''}`;
  return {
    read({ headers: { cookie } }) {
      if (cookie === undefined) return null;
      const values = cookie.split(';').flatMap((pair) => {
        const equals = pair.indexOf('=');
        return pair.slice(0, equals).trim() === name ? [pair.slice(equals + 1).trim()] : [];
      });
      return values.length === 1 ? (values[0] ?? null) : null;
    },
    store: (token) => `${name}=${token}; Max-Age=${SESSION_MAX_MS / 1000}; ${attributes}`,
    clear: `${name}=; Max-Age=0; ${attributes}`,
  };
}
