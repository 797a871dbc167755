import { StoreError } from '../store.ts';

/** Why connecting to PostgreSQL failed at the start, and what to do. Never contains the password of the URL. */
export function postgresFailure(url: string, error: unknown): StoreError {
  const { code = '', message } = error as { code?: string; message?: string };
  const { host, user, database } = partsOf(url);
  const server = `PostgreSQL at ${host} (DATABASE_URL)`;
  const said = `${message || String(error)}`.split('\n')[0] ?? '';
  return new StoreError(`${server} ${reasonOf(code, user, database, said)}`, { cause: error });
}

function reasonOf(code: string, user: string, database: string, said: string): string {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'refuses the connection: start it, or correct host and port in DATABASE_URL.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'has a host name that cannot be resolved: correct the host in DATABASE_URL.';
    case '28P01':
      return `refuses the password of user ${user}: correct user and password in DATABASE_URL.`;
    case '28000':
      return `refuses user ${user} (${said}): correct the user in DATABASE_URL, or allow it in pg_hba.conf.`;
    case '3D000':
      return `has no database ${database}: create it (createdb ${database}), or correct the name in DATABASE_URL.`;
    case '42501':
      return `does not let user ${user} do that (${said}): grant it the rights, or correct the user in DATABASE_URL.`;
    default:
      return `does not answer: ${said || code}. Check that it runs, and host and port in DATABASE_URL.`;
  }
}

function partsOf(url: string): { host: string; user: string; database: string } {
  const { host, username, pathname, searchParams } = new URL(url);
  const name = (text: string, otherwise: string) => JSON.stringify(decodeURIComponent(text) || otherwise);
  return {
    host: host || (searchParams.get('host') ?? 'localhost'),
    user: name(username, "the system's user"),
    database: name(pathname.slice(1), "of the user's name"),
  };
}
