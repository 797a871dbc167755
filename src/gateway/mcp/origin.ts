import { ServiceError } from '../../contract/errors.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses requests that a browser sends from a page that may not call the service (403), as the transport demands against DNS rebinding. Allowed:
 * the origins of SIGHTLINE_CORS_ORIGINS, that of the public URL, loopback where there is no public URL, and requests without `Origin`.
 */
export function refuseOrigin(origin: string | undefined, corsOrigins: ReadonlySet<string>, publicUrl: string | null): void {
  if (origin === undefined || corsOrigins.has('*') || corsOrigins.has(origin)) return;
  if (URL.canParse(origin)) {
    const { origin: parsed, hostname } = new URL(origin);
    if (publicUrl ? parsed === new URL(publicUrl).origin : LOOPBACK.has(hostname)) return;
  }
  throw new ServiceError(
    'FORBIDDEN',
    `Pages of the origin ${JSON.stringify(origin.slice(0, 200))} may not call this endpoint. The operator can allow them by SIGHTLINE_CORS_ORIGINS.`,
  );
}
