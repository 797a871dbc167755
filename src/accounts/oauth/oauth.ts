import type { JWK } from 'jose';
import type { Clock } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { SettingError, type Settings } from '../../settings.ts';
import { tellChange } from '../../store/changes.ts';
import type { Store, StoreLog } from '../../store/store.ts';
import type { Http } from '../../upstream/ports.ts';
import type { Authentication } from '../types.ts';
import { type Apps, createApps } from './apps.ts';
import { type Clients, createClients } from './clients.ts';
import { grantToken, type TokenAnswer, type TokenRequest } from './grant.ts';
import { createGrants, type Grants, type KeyActions } from './grants.ts';
import { checkIssuer, createIssuer } from './issuer.ts';
import { isLoopback } from './redirect-uri.ts';
import { createSealer, type Sealer, serviceSecret } from './sealer.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';
import { createTokens } from './tokens.ts';

export interface OAuthParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly randomBytes: RandomBytes;
  /** Fetches the key sets of other issuers; without it no other issuer is trusted (commands). */
  readonly http: Http | null;
  /** Public URL of the service without a trailing slash: issuer and resource. Null until it is known. */
  readonly baseUrl: () => string | null;
  /** Whether apps may sign in; default: whether SIGHTLINE_PUBLIC_URL is https or loopback. */
  readonly apps?: boolean;
  /** The actions on keys of the service itself, in the audit log as `oauth`. */
  readonly admin: () => KeyActions;
}
/** The authorization code flow of apps. */
export interface AppSignIn {
  readonly apps: Apps;
  readonly grants: Grants;
}
export interface OAuth {
  readonly baseUrl: () => string | null;
  /** Issuers whose tokens are accepted, this service first. */
  issuers(): readonly string[];
  token(request: TokenRequest): Promise<TokenAnswer>;
  keySet(): Promise<{ readonly keys: readonly JWK[] }>;
  authenticate(token: string, nowMs: number): Authentication | Promise<Authentication>;
  /** The same for a token that was verified before and whose client is known; else null. */
  known(token: string, nowMs: number): Authentication | null;
  /** False on a shared store without SIGHTLINE_SECRET. */
  canSign(): boolean;
  readonly clients: Clients;
  readonly signing: SigningKeys;
  /** Null: off. */
  readonly appSignIn: AppSignIn | null;
  /** Clears the cache of grants, after a change of a key. */
  forgetGrants(): void;
  /** Clears the cache of verified tokens. */
  forgetTokens(): void;
}

/** Authorization server and resource server. Throws SettingError if an issuer URL cannot be used. */
export function createOAuth(parts: OAuthParts): OAuth {
  const { settings, store, clock, log, randomBytes, http, baseUrl, admin } = parts;
  const allowLoopback = settings.SIGHTLINE_OAUTH_ALLOW_LOOPBACK_ISSUERS;
  for (const issuer of settings.SIGHTLINE_OAUTH_ISSUERS) checkIssuer(issuer, allowLoopback);
  let sealing: Sealer | null = null;
  function sealer(): Sealer | null {
    const secret = sealing ? null : serviceSecret(settings, randomBytes);
    if (secret !== null) sealing = createSealer(secret, randomBytes);
    return sealing;
  }
  // an invalid secret fails at the start, not at the first token
  if (http !== null || settings.SIGHTLINE_SECRET !== null) sealer();

  const clients = createClients(store);
  const signing = createSigningKeys({
    store,
    clock,
    log,
    alg: settings.SIGHTLINE_OAUTH_ALG,
    sealer,
    changed: (trx) => tellChange(trx, store.kind, 'signing'),
  });
  const trusted = http ? settings.SIGHTLINE_OAUTH_ISSUERS : [];
  const issuers = new Map(trusted.map((issuer) => [issuer, createIssuer({ issuer, http: http as Http, clock, log, allowLoopback })]));
  const grants = createGrants({ store, clock, randomBytes, admin });
  const publicUrl = settings.SIGHTLINE_PUBLIC_URL;
  const isOn = parts.apps ?? (publicUrl !== null && (publicUrl.startsWith('https:') || isLoopback(new URL(publicUrl))));
  const appSignIn = http && isOn ? { apps: createApps({ db: store.db, clock, randomBytes, http }), grants } : null;
  const tokens = createTokens({ baseUrl, signing, clients, grants, issuers });
  store.keyChanges?.listen((what) => {
    if (what !== null && what !== 'signing') return;
    signing.forget();
    tokens.forget();
  });

  return {
    baseUrl,
    issuers: () => [baseUrl(), ...trusted].filter((issuer) => issuer !== null),
    token: (request) =>
      grantToken(
        {
          baseUrl,
          clients,
          grants: appSignIn && grants,
          signing,
          clock,
          randomBytes,
          tokenSeconds: settings.SIGHTLINE_OAUTH_TOKEN_SECONDS,
        },
        request,
      ),
    async keySet() {
      // verifiers cache the key set, so the first key must be in it before it signs
      if (sealer()) await signing.prepare();
      return { keys: await signing.published() };
    },
    authenticate: tokens.authenticate,
    known: tokens.known,
    canSign: () => sealer() !== null,
    clients,
    signing,
    appSignIn,
    forgetGrants: grants.forget,
    forgetTokens: tokens.forget,
  };
}

/** Throws SettingError if a shared store has clients but SIGHTLINE_SECRET is not set. */
export async function demandSecret(store: Store, settings: Pick<Settings, 'SIGHTLINE_SECRET'>): Promise<void> {
  if (store.kind === 'embedded' || settings.SIGHTLINE_SECRET !== null) return;
  const client = await store.db.selectFrom('clients').select('id').where('revoked_at', 'is', null).limit(1).executeTakeFirst();
  if (client)
    throw new SettingError('SIGHTLINE_SECRET is required with DATABASE_URL once there are OAuth clients: the same on every gateway.');
}
