import { certificateRefusal } from '../../runtime/certificate-refusal.ts';
import { OperatorError } from '../../settings.ts';

/**
 * The URL as pg takes it. It checks the certificate for these modes as for verify-full, but warns at each start that a later version
 * will not; libpq's meaning, which checks less, is chosen by `uselibpqcompat=true`.
 */
export function connectionString(url: string): string {
  const { searchParams } = new URL(url);
  if (searchParams.get('uselibpqcompat') === 'true') return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|#|$)/, '$1verify-full');
}

/** Why connecting to PostgreSQL failed at the start, and what to do. Never contains the password of the URL. */
export function postgresFailure(url: string, error: unknown): OperatorError {
  const { host, user, database } = partsOf(url);
  return new OperatorError(`PostgreSQL at ${host} (DATABASE_URL) ${connectReason(error as NodeJS.ErrnoException, user, database)}`, {
    cause: error,
  });
}

function connectReason(error: NodeJS.ErrnoException, user: string, database: string): string {
  const { code = '', message, syscall, path } = error;
  const said = `${message || String(error)}`.split('\n')[0] ?? '';
  const refused = 'refuses the connection: start it, or correct host and port in DATABASE_URL.';
  const unknown = 'has a host name that cannot be resolved: correct the host in DATABASE_URL.';
  const reasons: Readonly<Record<string, string>> = {
    ...{ ECONNREFUSED: refused, ENOENT: refused, ENOTFOUND: unknown, EAI_AGAIN: unknown },
    '28P01': `refuses the password of user ${user}: correct user and password in DATABASE_URL.`,
    '28000': `refuses user ${user} (${said}): correct the user in DATABASE_URL, or allow it in pg_hba.conf; if the server takes TLS alone, add sslmode=verify-full to DATABASE_URL.`,
    '3D000': `has no database ${database}: create it (createdb ${database}), or correct the name in DATABASE_URL.`,
    '42501': `does not let user ${user} do that (${said}): grant it the rights, or correct the user in DATABASE_URL.`,
  };
  // a file of sslrootcert, sslcert or sslkey
  if (syscall === 'open') return `is not asked: ${path} cannot be read (${code}): correct the file in DATABASE_URL.`;
  if (said === NO_TLS) return 'takes no TLS: switch ssl on in its postgresql.conf, or remove sslmode from DATABASE_URL.';
  return (
    reasons[code] ?? certificateRefusal(error) ?? `does not answer: ${said || code}. Check that it runs, and host and port in DATABASE_URL.`
  );
}

/** What pg says where the server declines the request for TLS; the error has no code. */
const NO_TLS = 'The server does not support SSL connections';

function partsOf(url: string): { host: string; user: string; database: string } {
  const { host, username, pathname, searchParams } = new URL(url);
  const name = (text: string, otherwise: string) => JSON.stringify(decodeURIComponent(text) || otherwise);
  return {
    host: host || (searchParams.get('host') ?? 'localhost'),
    user: name(username, "the system's user"),
    database: name(pathname.slice(1), "of the user's name"),
  };
}
