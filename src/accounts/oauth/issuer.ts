import type { JWK } from 'jose';
import type { Clock } from '../../runtime/clock.ts';
import { SettingError } from '../../settings.ts';
import type { StoreLog } from '../../store/store.ts';
import { jsonOf } from '../../upstream/answer.ts';
import { within } from '../../upstream/http/deadline.ts';
import type { Http } from '../../upstream/ports.ts';
import { type ImportedKey, importKey } from './signing-keys.ts';

/** Signature algorithms accepted from other issuers: asymmetric algorithms only. */
export const ALGORITHMS: readonly string[] = ['EdDSA', 'Ed25519', 'RS256', 'PS256', 'ES256'];

/** A cached key set older than this is refreshed in the background. */
export const FRESH_MS = 600_000;
/** A cached key set older than this is not used: the issuer's tokens are refused. */
export const STALE_MS = 3_600_000;
/** Minimum interval between requests to an issuer, for any key ids in tokens. */
export const COOLDOWN_MS = 10_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 524_288;
const MAX_KEYS = 100;

export interface IssuerKeys {
  /** The public key with this id and algorithm; null if there is none or the cached key set is too old. */
  find(kid: string | undefined, alg: string): Promise<ImportedKey | null>;
}
export interface IssuerParts {
  /** Compared with `iss` exactly. */
  readonly issuer: string;
  readonly http: Http;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly allowLoopback: boolean;
}

/** Throws SettingError for an issuer URL that is not safe to request. */
export function checkIssuer(issuer: string, allowLoopback: boolean): void {
  const fault = (why: string) => new SettingError(`SIGHTLINE_OAUTH_ISSUERS has ${JSON.stringify(issuer.slice(0, 200))}, which ${why}.`);
  if (!URL.canParse(issuer)) throw fault('is no URL');
  const url = new URL(issuer);
  if (url.search || url.hash || url.username) throw fault('has more than an origin and a path (RFC 8414, 2)');
  if (url.protocol !== 'https:' && !(allowLoopback && isLoopback(url)))
    throw fault('is not https; on loopback set SIGHTLINE_OAUTH_ALLOW_LOOPBACK_ISSUERS=1');
}
const isLoopback = (url: URL): boolean => url.protocol === 'http:' && /^(127(\.\d{1,3}){3}|\[::1\]|localhost)$/.test(url.hostname);

/** Metadata URLs of an issuer: RFC 8414, then OpenID Connect Discovery. */
export function discoveryUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}${path}/.well-known/openid-configuration`];
}

/** Key set of an issuer: fetched on first use, one request at a time, cached while the issuer is unreachable. */
export function createIssuer({ issuer, http, clock, log, allowLoopback }: IssuerParts): IssuerKeys {
  const home = new URL(issuer).origin;
  let keys: readonly JWK[] = [];
  let imported = new Map<string, Promise<ImportedKey | null>>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | null = null;

  async function ask(url: string): Promise<unknown> {
    // a setting names the issuer's origin, so it may be private; keys at another origin must have a public address
    const named = new URL(url).origin === home;
    const headers = { accept: 'application/json' };
    const request = { url, headers, named, redirects: 0, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS };
    const reply = await within(clock, TIMEOUT_MS, new AbortController().signal, (signal) => http.ask({ ...request, signal }));
    if (reply.tag !== 'answer') throw new Error(`${url}: ${reply.tag} ${reply.detail ?? reply.what}`);
    if (reply.answer.status !== 200) throw new Error(`${url}: status ${reply.answer.status}`);
    const body = jsonOf(reply.answer);
    if (typeof body !== 'object' || body === null) throw new Error(`${url}: no JSON object`);
    return body;
  }

  async function discover(): Promise<string> {
    const reasons: string[] = [];
    for (const url of discoveryUrls(issuer)) {
      try {
        const metadata = (await ask(url)) as { issuer?: unknown; jwks_uri?: unknown };
        // metadata whose `issuer` differs is rejected (RFC 8414, 3.3)
        if (metadata.issuer !== issuer) throw new Error(`${url}: it is the document of ${JSON.stringify(metadata.issuer)}`);
        const at = typeof metadata.jwks_uri === 'string' && URL.canParse(metadata.jwks_uri) ? new URL(metadata.jwks_uri) : null;
        if (!at || !(at.protocol === 'https:' || (allowLoopback && isLoopback(at)))) throw new Error(`${url}: jwks_uri is no https URL`);
        return at.href;
      } catch (error) {
        reasons.push((error as Error).message);
      }
    }
    throw new Error(reasons.join('; '));
  }

  async function load(): Promise<void> {
    try {
      const set = (await ask(await discover())) as { keys?: unknown };
      if (!Array.isArray(set.keys)) throw new Error('the key set has no keys');
      keys = set.keys.filter(isVerifying).slice(0, MAX_KEYS);
      imported = new Map();
      loadedAt = clock.now();
    } catch (error) {
      log('warn', 'oauth: the keys of an issuer could not be read', { issuer, reason: (error as Error).message });
    }
  }
  /** At most one request at a time, with a minimum interval. */
  function refresh(): Promise<void> | null {
    if (loading) return loading;
    if (clock.now() - triedAt < COOLDOWN_MS) return null;
    triedAt = clock.now();
    loading = load().finally(() => {
      loading = null;
    });
    return loading;
  }

  function pick(kid: string | undefined, alg: string): Promise<ImportedKey | null> | null {
    const fitting = keys.filter((k) => fits(k, alg));
    const found = kid === undefined ? (fitting.length === 1 ? fitting[0] : undefined) : fitting.find((k) => k.kid === kid);
    if (!found) return null;
    const name = `${alg} ${keys.indexOf(found)}`;
    const known = imported.get(name);
    if (known) return known;
    const making = importKey(found, alg).catch((error: unknown) => {
      log('warn', 'oauth: a key of an issuer is not usable', { issuer, kid: found.kid, reason: String(error) });
      return null;
    });
    imported.set(name, making);
    return making;
  }

  return {
    async find(kid, alg) {
      const age = clock.now() - loadedAt;
      if (age > STALE_MS) await refresh();
      else if (age > FRESH_MS) void refresh();
      if (clock.now() - loadedAt > STALE_MS) return null;
      const here = pick(kid, alg);
      if (here) return here;
      // unknown key id: refetch, at most once per minimum interval
      await refresh();
      return pick(kid, alg);
    },
  };
}

const KINDS: Readonly<Record<string, string>> = { EdDSA: 'OKP', Ed25519: 'OKP', RS256: 'RSA', PS256: 'RSA', ES256: 'EC' };
const sameAlg = (alg: string): string => (alg === 'Ed25519' ? 'EdDSA' : alg);
const fits = (key: JWK, alg: string): boolean =>
  key.kty === KINDS[alg] && (key.alg === undefined || sameAlg(key.alg) === sameAlg(alg)) && (key.kty !== 'OKP' || key.crv === 'Ed25519');

/** Whether a JWK is a public signature key; symmetric and private keys are skipped. */
function isVerifying(value: unknown): value is JWK {
  if (typeof value !== 'object' || value === null) return false;
  const key = value as JWK;
  const forSignatures = (key.use === undefined || key.use === 'sig') && (!Array.isArray(key.key_ops) || key.key_ops.includes('verify'));
  return forSignatures && typeof key.kty === 'string' && key.kty !== 'oct' && key.d === undefined;
}
