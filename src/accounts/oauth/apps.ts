import { LRUCache } from 'lru-cache';
import { type Clock, DAY_MS } from '../../runtime/clock.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import { atMost } from '../../runtime/lru.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import type { Store } from '../../store/store.ts';
import type { AppRow } from '../../store/tables.ts';
import { jsonOf } from '../../upstream/answer.ts';
import { within } from '../../upstream/http/exchange.ts';
import type { Http, HttpRequest } from '../../upstream/ports.ts';

export interface App {
  readonly clientId: string;
  /** The name that the app gave itself, unverified. */
  readonly name: string;
  /** Host of its Client ID Metadata Document, which proves who it is; null: it registered itself. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}
export type Apps = ReturnType<typeof createApps>;
export type Registration =
  | { readonly ok: true; readonly body: object }
  | { readonly ok: false; readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'; readonly description: string };
const REGISTERED = /^app_[0-9a-f]{20}$/;
const MAX_DOCUMENT_BYTES = 16_384;
const TIMEOUT_MS = 5_000;
const CACHED_MS = 300_000;
/** A registered app without a consent ends after a day, any other 90 days after the last consent. */
const UNUSED_MS = DAY_MS;
const IDLE_MS = 90 * DAY_MS;
/** Registrations without a consent; the oldest make room. */
export const MAX_UNUSED = 1_000;
const MAX_REDIRECTS = 10;

/** Asks for a JSON document: once, without redirects, within five seconds in all. */
export const askDocument = (http: Http, clock: Clock, document: Pick<HttpRequest, 'url' | 'named' | 'maxBytes'>) =>
  within(clock, TIMEOUT_MS, new AbortController().signal, (signal) =>
    http.ask({
      ...{ ...document, headers: { accept: 'application/json' }, redirects: 0, timeoutMs: TIMEOUT_MS },
      attempt: { signal, deadlineMs: Number.POSITIVE_INFINITY },
    }),
  );

/** Apps by the URL of their metadata document or by registration. The address guard of `http` refuses private addresses. */
export function createApps(db: Store['db'], clock: Clock, randomBytes: RandomBytes, http: Http) {
  const documents = new LRUCache<string, { readonly app: App; readonly until: number }>(atMost(1_000));

  async function fetched(clientId: string): Promise<App | { fault: string }> {
    const known = documents.get(clientId);
    if (known && known.until > clock.now()) return known.app;
    const reply = await askDocument(http, clock, { url: clientId, maxBytes: MAX_DOCUMENT_BYTES });
    if (reply.tag !== 'answer') return { fault: `The metadata document of the app could not be read: ${reply.what}.` };
    if (reply.answer.status !== 200) return { fault: `The metadata document of the app answers with status ${reply.answer.status}.` };
    const document = jsonOf(reply.answer);
    const read = readMetadata(document);
    if ('fault' in read) return { fault: `The metadata document of the app cannot be used: ${read.fault}` };
    const { client_id: stated, token_endpoint_auth_method: method = 'none' } = document as Record<string, unknown>;
    if (stated !== clientId) return { fault: 'The metadata document of the app names another client_id.' };
    if (method !== 'none') return { fault: 'The app authenticates with a key or a secret, which is not supported: only public apps are.' };
    const host = new URL(clientId).host;
    const app: App = { clientId, name: read.name || host, host, redirectUris: read.redirectUris };
    documents.set(clientId, { app, until: clock.now() + CACHED_MS });
    return app;
  }

  async function makeRoom(now: number): Promise<void> {
    await db
      .deleteFrom('apps')
      .where((e) => e.or([e.and([e('used_at', 'is', null), e('created_at', '<=', now - UNUSED_MS)]), e('used_at', '<=', now - IDLE_MS)]))
      .execute();
    const unused = db.selectFrom('apps').select('id').where('used_at', 'is', null).orderBy('created_at', 'desc').orderBy('id');
    const over = unused.limit(100).offset(MAX_UNUSED - 1);
    await db.deleteFrom('apps').where('id', 'in', over).execute();
  }

  return {
    async find(clientId: string): Promise<App | { readonly fault: string }> {
      if (isDocumentUrl(clientId)) return fetched(clientId);
      const row = REGISTERED.test(clientId)
        ? await db.selectFrom('apps').selectAll().where('id', '=', clientId).executeTakeFirst()
        : undefined;
      const end = row && (row.used_at === null ? row.created_at + UNUSED_MS : row.used_at + IDLE_MS);
      if (!row || end === undefined || end <= clock.now())
        return { fault: 'The app is not known here, or its registration has expired: remove the connection in the app, and add it again.' };
      return { clientId, name: row.name, host: null, redirectUris: JSON.parse(row.redirect_uris) as string[] };
    },
    async register(metadata: unknown): Promise<Registration> {
      const read = readMetadata(metadata);
      if ('fault' in read) return { ok: false, error: read.error, description: read.fault };
      const now = clock.now();
      const row: AppRow = {
        id: `app_${Buffer.from(randomBytes(10)).toString('hex')}`,
        name: read.name || 'An app without a name',
        redirect_uris: JSON.stringify(read.redirectUris),
        created_at: now,
        used_at: null,
      };
      await makeRoom(now);
      await db.insertInto('apps').values(row).execute();
      return {
        ok: true,
        body: {
          client_id: row.id,
          client_id_issued_at: Math.floor(now / 1000),
          client_name: row.name,
          redirect_uris: read.redirectUris,
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      };
    },
  };
}

/** https with a path, written as browsers write it, and nothing else. */
function isDocumentUrl(text: string): boolean {
  if (!text.startsWith('https://') || text.length > 500 || !URL.canParse(text)) return false;
  const { href, pathname, search, hash, username, password } = new URL(text);
  return href === text && pathname !== '/' && !search && !hash && !username && !password;
}

type Metadata = { readonly name: string; readonly redirectUris: readonly string[] };
type MetadataFault = { readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'; readonly fault: string };

function readMetadata(value: unknown): Metadata | MetadataFault {
  const wrong = (fault: string): MetadataFault => ({ error: 'invalid_client_metadata', fault });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('It is no JSON object.');
  const { redirect_uris: uris, client_name: name = '', grant_types: grants, response_types: types } = value as Record<string, unknown>;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS)
    return { error: 'invalid_redirect_uri', fault: `redirect_uris must list 1 to ${MAX_REDIRECTS} URLs.` };
  for (const uri of uris) {
    const why = redirectFault(uri);
    if (why) return { error: 'invalid_redirect_uri', fault: `redirect_uris has ${JSON.stringify(uri).slice(0, 100)}, which ${why}.` };
  }
  if (typeof name !== 'string') return wrong('client_name must be a text.');
  if (grants !== undefined && !(Array.isArray(grants) && grants.includes('authorization_code')))
    return wrong('grant_types must include authorization_code.');
  if (types !== undefined && !(Array.isArray(types) && types.includes('code'))) return wrong('response_types must include code.');
  // format characters could turn the words of the consent page around
  return {
    name: name
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .slice(0, 60),
    redirectUris: uris as string[],
  };
}

const MAX_CHARACTERS = 2_000;
/** A scheme of an installed app: labels with dots between them (RFC 8252, 7.1). */
const REVERSE_DOMAIN = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/** Whether a redirect goes to a program of this computer, over http. */
export const isOfThisComputer = (url: URL): boolean => url.protocol === 'http:' && isLoopback(url.hostname);

/** Why an app may not register this redirect; null: it may. https, http of this computer, or a scheme of an installed app (RFC 8252, 7.1). */
export function redirectFault(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS || !URL.canParse(text)) return 'is no URL of at most 2,000 characters';
  const url = new URL(text);
  if (text.includes('#')) return 'has a fragment';
  // without an authority a browser reads it as a path of the page that redirects
  if (/^https?:(?!\/\/[^/])/i.test(text)) return 'has no // and host behind its scheme';
  if (url.username || url.password) return 'has a user name';
  // it becomes the header Location
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return 'has a character that is not printable ASCII, or a backslash';
  // it becomes a source of the header Content-Security-Policy
  if (/[;,'*]/.test(url.host)) return "has ; , ' or * in its host";
  if (url.protocol === 'https:' || isOfThisComputer(url) || REVERSE_DOMAIN.test(url.protocol)) return null;
  return 'is neither https, nor http of the own computer, nor a scheme with a dot (com.example.app:)';
}

/** Whether a redirect is one of those registered: the same text, or on loopback the same but for the port (RFC 8252, 7.3). */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (redirectFault(asked) !== null) return false;
  if (registered.includes(asked)) return true;
  const url = new URL(asked);
  return (
    isOfThisComputer(url) && registered.some((uri) => isOfThisComputer(new URL(uri)) && withoutPort(new URL(uri)) === withoutPort(url))
  );
}
const withoutPort = ({ hostname, pathname, search }: URL): string => hostname + pathname + search;
