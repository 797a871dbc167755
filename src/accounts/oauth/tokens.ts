import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { ALL_SCOPES, isScope } from '../../contract/scopes.ts';
import { atMost } from '../../runtime/lru.ts';
import { EXPIRED, MALFORMED, NONE, REVOKED } from '../keys/keys.ts';
import type { Authentication } from '../types.ts';
import { resourcesOf } from './authorize.ts';
import { type Clients, type TokenHolder, usableAt } from './clients.ts';
import type { Grants } from './grants.ts';
import { ALGORITHMS, type IssuerKeys } from './issuer.ts';
import type { ImportedKey, SigningKeys } from './signing-keys.ts';

export const TOLERANCE_MS = 60_000;
/** RFC 9068, 2.1. */
export const TOKEN_TYPE = 'at+jwt';
export const MAX_TOKEN_CHARACTERS = 8192;
/** A cached verification expires after this, so that a key withdrawn by its issuer stops being accepted. */
const RECHECK_MS = 300_000;
const MAX_CACHED = 20_000;
const REQUIRED = ['exp', 'iat', 'jti', 'sub', 'client_id'];

export type Tokens = ReturnType<typeof createTokens>;
export interface TokenParts {
  /** Issuer and resource of this service; null until its public URL is known. */
  readonly baseUrl: () => string | null;
  readonly signing: SigningKeys;
  readonly clients: Clients;
  readonly grants: Pick<Grants, 'peek' | 'holder'>;
  readonly issuers: ReadonlyMap<string, IssuerKeys>;
}

interface Verified {
  readonly clientId: string;
  /** The grant of an app's token; null: a client's. Only tokens of this service have one. */
  readonly grantId: string | null;
  /** Null: no `scope` and no `scp` claim. */
  readonly scopes: readonly string[] | null;
  readonly expiresAt: number;
  readonly recheckAt: number;
}

/** Verifies access tokens of this service and of trusted issuers; results are cached by the token's SHA-256. */
export function createTokens({ baseUrl, signing, clients, grants, issuers }: TokenParts) {
  const cached = new LRUCache<string, Verified>(atMost(MAX_CACHED));
  let generation = 0;

  /** The key by `kid` and `alg`; `jwk`, `jku`, `x5u` and `x5c` of the header are ignored. */
  async function keyFor(iss: string, kid: unknown, alg: string): Promise<ImportedKey | null> {
    if (iss === baseUrl()) {
      const own = typeof kid === 'string' ? await signing.find(kid) : null;
      return own && own.alg === alg ? own.key : null;
    }
    const issuer = issuers.get(iss);
    if (!issuer || (kid !== undefined && typeof kid !== 'string')) return null;
    return issuer.find(kid, alg);
  }

  /** Returns verified claims and caches them, or the reason for rejection. */
  async function verify(token: string, digest: string, nowMs: number): Promise<Verified | Authentication> {
    const began = generation;
    const { decodeJwt, decodeProtectedHeader, errors, jwtVerify } = await import('jose');
    let verified: Verified;
    try {
      const { alg, kid, typ } = decodeProtectedHeader(token);
      const { iss } = decodeJwt(token);
      if (typeof alg !== 'string' || !ALGORITHMS.includes(alg) || typeof typ !== 'string' || typeof iss !== 'string') return MALFORMED;
      const resource = baseUrl();
      const key = resource === null ? null : await keyFor(iss, kid, alg);
      if (!key || resource === null) return NONE;
      const { payload } = await jwtVerify(token, key, {
        algorithms: [alg],
        issuer: iss,
        audience: [...resourcesOf(resource)],
        typ: TOKEN_TYPE,
        clockTolerance: TOLERANCE_MS / 1000,
        currentDate: new Date(nowMs),
        requiredClaims: REQUIRED,
      });
      const { client_id: clientId, exp = 0, grant } = payload;
      const scopes = scopesOf(payload);
      if (typeof clientId !== 'string' || scopes === 'malformed') return MALFORMED;
      verified = {
        clientId,
        grantId: iss === resource && typeof grant === 'string' ? grant : null,
        scopes,
        expiresAt: exp * 1000 + TOLERANCE_MS,
        recheckAt: nowMs + RECHECK_MS,
      };
    } catch (error) {
      if (error instanceof errors.JWTExpired) return EXPIRED;
      if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError) return MALFORMED;
      throw error;
    }
    if (began === generation) cached.set(digest, verified);
    return verified;
  }

  function verifiedBefore(digest: string, nowMs: number): Verified | undefined {
    const verified = cached.get(digest);
    return verified && nowMs < verified.recheckAt ? verified : undefined;
  }

  return {
    forget(): void {
      generation++;
      cached.clear();
    },
    /** The result for a token that was verified before and whose client is known; else null. */
    authenticateCached(token: string, nowMs: number): Authentication | null {
      const verified = verifiedBefore(tokenDigest(token), nowMs);
      if (!verified) return null;
      const holder = verified.grantId === null ? clients.peek(verified.clientId) : grants.peek(verified.grantId);
      return holder && judge(verified, holder, nowMs);
    },
    async authenticate(token: string, nowMs: number): Promise<Authentication> {
      if (token.length > MAX_TOKEN_CHARACTERS) return MALFORMED;
      const digest = tokenDigest(token);
      const verified = verifiedBefore(digest, nowMs) ?? (await verify(token, digest, nowMs));
      if ('ok' in verified) return verified;
      const { clientId, grantId } = verified;
      return judge(verified, await (grantId === null ? clients.holder(clientId) : grants.holder(grantId)), nowMs);
    },
  };
}

const tokenDigest = (token: string): string => hash('sha256', token, 'base64');

/** The intersection of `scope` (RFC 9068, 2.2.3) and `scp` of some issuers; null without both. Another type is refused: ignored, it would add scopes. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] | null | 'malformed' {
  let scopes: readonly string[] | null = null;
  for (const claim of [scope, scp]) {
    if (claim === undefined) continue;
    if (typeof claim !== 'string') return 'malformed';
    const named = claim.split(' ').filter(isScope);
    scopes = scopes === null ? named : named.filter((s) => scopes?.includes(s));
  }
  return scopes;
}

function judge(verified: Verified, holder: TokenHolder | null, nowMs: number): Authentication {
  if (nowMs >= verified.expiresAt) return EXPIRED;
  if (!holder) return NONE;
  if (!usableAt(holder, nowMs)) return holder.revoked ? REVOKED : EXPIRED;
  const { caller, scopes: own } = holder;
  const { scopes: asked } = verified;
  return { ok: true, caller: { ...caller, scopes: own && asked ? asked.filter((s) => own.includes(s)) : (asked ?? own ?? ALL_SCOPES) } };
}
