import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';

/** Header that the console sends with every request: a page of another origin cannot add it without a CORS preflight. */
const CONSOLE_HEADER = 'x-sightline-console';

/**
 * Refuses a request that a page of another origin may have caused (403): one with a session cookie, or one that opens a session.
 * `Sec-Fetch-Site` decides. Browsers leave it out on plain http beyond loopback: there an equal `Origin` is required, or for GET and HEAD
 * the header of the console. `publicUrl`: the address of the service if it is known; else `Origin` is compared with `Host`.
 */
export function demandOwnPage({ method = 'GET', headers }: IncomingMessage, publicUrl: string | null): void {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const own =
    site !== undefined
      ? site === 'same-origin'
      : origin !== undefined
        ? isOwnOrigin(origin, publicUrl, headers.host)
        : (method === 'GET' || method === 'HEAD') && headers[CONSOLE_HEADER] === '1';
  if (!own)
    throw new ServiceError(
      'FORBIDDEN',
      'A session of the console is accepted from the pages of the console alone: send an API key as X-API-Key or Authorization: Bearer.',
    );
}

function isOwnOrigin(origin: string, publicUrl: string | null, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return publicUrl === null ? url.host === host : url.origin === new URL(publicUrl).origin;
}
