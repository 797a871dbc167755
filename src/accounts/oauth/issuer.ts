import type { CryptoKey, createLocalJWKSet, JWK } from 'jose';
import type { Clock } from '../../runtime/clock.ts';
import { singleFlight } from '../../runtime/single-flight.ts';
import { SettingError } from '../../settings.ts';
import type { StoreLog } from '../../store/store.ts';
import { jsonOf } from '../../upstream/answer.ts';
import type { Http } from '../../upstream/ports.ts';
import { askDocument, isOfThisComputer } from './apps.ts';

/** Signature algorithms accepted from other issuers: asymmetric algorithms only. */
export const ALGORITHMS: readonly string[] = ['EdDSA', 'Ed25519', 'RS256', 'PS256', 'ES256'];

/** A cached key set older than this is refreshed in the background. */
export const FRESH_MS = 600_000;
/** A cached key set older than this is not used: the issuer's tokens are refused. */
export const STALE_MS = 3_600_000;
/** Minimum interval between requests to an issuer, for any key ids in tokens. */
export const COOLDOWN_MS = 10_000;
const MAX_BYTES = 524_288;
const MAX_KEYS = 100;

export type IssuerKeys = ReturnType<typeof createIssuer>;
export interface IssuerParts {
  /** Compared with `iss` exactly. */
  readonly issuer: string;
  readonly http: Http;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly allowLoopback: boolean;
}

/** Throws SettingError for an issuer URL that is not safe to request. */
export function demandSafeIssuer(issuer: string, allowLoopback: boolean): void {
  const fault = (why: string) => new SettingError(`SIGHTLINE_OAUTH_ISSUERS has ${JSON.stringify(issuer.slice(0, 200))}, which ${why}.`);
  if (!URL.canParse(issuer)) throw fault('is no URL');
  const url = new URL(issuer);
  if (url.search || url.hash || url.username) throw fault('has more than an origin and a path (RFC 8414, 2)');
  if (url.protocol !== 'https:' && !(allowLoopback && isOfThisComputer(url)))
    throw fault('is not https; on loopback set SIGHTLINE_OAUTH_ALLOW_LOOPBACK_ISSUERS=1');
}

/** Metadata URLs of an issuer: RFC 8414, then OpenID Connect Discovery. */
export function discoveryUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}${path}/.well-known/openid-configuration`];
}

/** Key set of an issuer: fetched on first use, one request at a time, cached while the issuer is unreachable. */
export function createIssuer({ issuer, http, clock, log, allowLoopback }: IssuerParts) {
  const home = new URL(issuer).origin;
  let keyFor: ReturnType<typeof createLocalJWKSet> | null = null;
  let loadedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;

  async function ask(url: string): Promise<unknown> {
    // a setting names the issuer's origin, so it may be private; keys at another origin must have a public address
    const named = new URL(url).origin === home;
    const reply = await askDocument(http, clock, { url, named, maxBytes: MAX_BYTES });
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
        const jwksUrl = typeof metadata.jwks_uri === 'string' && URL.canParse(metadata.jwks_uri) ? new URL(metadata.jwks_uri) : null;
        if (!jwksUrl || !(jwksUrl.protocol === 'https:' || (allowLoopback && isOfThisComputer(jwksUrl))))
          throw new Error(`${url}: jwks_uri is no https URL`);
        return jwksUrl.href;
      } catch (error) {
        reasons.push((error as Error).message);
      }
    }
    throw new Error(reasons.join('; '));
  }

  const refresh = singleFlight(async () => {
    if (clock.now() - triedAt < COOLDOWN_MS) return;
    triedAt = clock.now();
    try {
      const set = (await ask(await discover())) as { keys?: unknown };
      if (!Array.isArray(set.keys)) throw new Error('the key set has no keys');
      const jose = await import('jose');
      keyFor = jose.createLocalJWKSet({ keys: set.keys.filter(isPublic).slice(0, MAX_KEYS).map(withoutAlgOfCurve) });
      loadedAt = clock.now();
    } catch (error) {
      log('warn', 'oauth: the keys of an issuer could not be read', { issuer, reason: (error as Error).message });
    }
  });

  /** The key that fits by id, kind, use and algorithm; null: none, several, or one that is not usable. */
  async function pick(kid: string | undefined, alg: string): Promise<CryptoKey | null> {
    const { errors } = await import('jose');
    return (
      keyFor?.({ alg, ...(kid !== undefined && { kid }) }).catch((error: unknown) => {
        if (!(error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys))
          log('warn', 'oauth: a key of an issuer is not usable', { issuer, kid, reason: String(error) });
        return null;
      }) ?? null
    );
  }

  return {
    /** The public key with this id and algorithm; null if there is none or the cached key set is too old. */
    async find(kid: string | undefined, alg: string): Promise<CryptoKey | null> {
      const age = clock.now() - loadedAt;
      if (age > STALE_MS) await refresh();
      else if (age > FRESH_MS) void refresh();
      if (clock.now() - loadedAt > STALE_MS) return null;
      const here = await pick(kid, alg);
      if (here) return here;
      // unknown key id: refetch, at most once per minimum interval
      await refresh();
      return pick(kid, alg);
    },
  };
}

const isPublic = (value: unknown): value is JWK => typeof value === 'object' && value !== null && !('d' in value);
/** Ed25519 has two names, of which a key may state the other one; its curve says enough. */
const withoutAlgOfCurve = ({ alg, ...key }: JWK): JWK => (key.kty === 'OKP' || alg === undefined ? key : { ...key, alg });
