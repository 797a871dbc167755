import type { JWK } from 'jose';
import type { Clock } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { Store, StoreLog } from '../../store/store.ts';
import type { Http } from '../../upstream/ports.ts';
import { createApps, isOfThisComputer } from './apps.ts';
import { createClients } from './clients.ts';
import { createGrants, type KeyActions } from './grants.ts';
import { createIssuer, demandSafeIssuer } from './issuer.ts';
import { createSealer, type Sealer, serviceSecret } from './sealer.ts';
import { createSigningKeys } from './signing-keys.ts';
import { issueToken, type TokenAnswer, type TokenRequest } from './token-endpoint.ts';
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
  readonly apps: boolean;
  /** The key that seals tokens of grants: that of anchors. */
  readonly sealKey: () => Buffer | null;
  /** The actions on keys of the service itself, in the audit log as `oauth`. */
  readonly admin: () => KeyActions;
}
export type AppSignIn = NonNullable<OAuth['appSignIn']>;
export type OAuth = ReturnType<typeof createOAuth>;

/** Authorization server and resource server. Throws SettingError if an issuer URL cannot be used. */
export function createOAuth(parts: OAuthParts) {
  const { settings, store, clock, log, randomBytes, http, baseUrl, admin, sealKey } = parts;
  const allowLoopback = settings.SIGHTLINE_OAUTH_ALLOW_LOOPBACK_ISSUERS;
  for (const issuer of settings.SIGHTLINE_OAUTH_ISSUERS) demandSafeIssuer(issuer, allowLoopback);
  let sealing: Sealer | null = null;
  function sealer(): Sealer | null {
    const secret = sealing ? null : serviceSecret(settings, randomBytes);
    if (secret !== null) sealing = createSealer(secret, randomBytes);
    return sealing;
  }
  // an invalid secret fails at the start, not at the first token
  if (http !== null || settings.SIGHTLINE_SECRET !== null) sealer();

  const clients = createClients(store);
  const signing = createSigningKeys({ store, clock, log, alg: settings.SIGHTLINE_OAUTH_ALG, sealer });
  const trusted = http ? settings.SIGHTLINE_OAUTH_ISSUERS : [];
  const issuers = new Map(trusted.map((issuer) => [issuer, createIssuer({ issuer, http: http as Http, clock, log, allowLoopback })]));
  const grants = createGrants(store, clock, randomBytes, sealKey, admin);
  const appSignIn = http && parts.apps ? { apps: createApps(store.db, clock, randomBytes, http), grants } : null;
  const tokens = createTokens({ baseUrl, signing, clients, grants, issuers });

  return {
    baseUrl,
    /** Issuers whose tokens are accepted, this service first. */
    issuers: (): readonly string[] => [baseUrl(), ...trusted].filter((issuer) => issuer !== null),
    token: (request: TokenRequest): Promise<TokenAnswer> =>
      issueToken({ baseUrl, clients, grants: appSignIn && grants, signing, clock, randomBytes }, request),
    async keySet(): Promise<{ readonly keys: readonly JWK[] }> {
      // verifiers cache the key set, so the first key must be in it before it signs
      if (sealer()) await signing.prepare();
      return { keys: await signing.published() };
    },
    authenticate: tokens.authenticate,
    authenticateCached: tokens.authenticateCached,
    /** False on a shared store without SIGHTLINE_SECRET. */
    canSign: () => sealer() !== null,
    clients,
    signing,
    appSignIn,
    forget(): void {
      for (const { forget } of [clients, grants, signing, tokens]) forget();
    },
  };
}

/** Whether apps may sign in: only where the operator states a public URL, and over https or loopback (OAuth 2.1, 1.5). */
export const mayAppsSignIn = ({ SIGHTLINE_PUBLIC_URL: url }: Pick<Settings, 'SIGHTLINE_PUBLIC_URL'>): boolean =>
  url !== null && (url.startsWith('https:') || isOfThisComputer(new URL(url)));

/** Throws SettingError if tokens will be signed on a shared store, for clients or for apps, but SIGHTLINE_SECRET is not set. */
export async function demandSecret(store: Store, settings: Pick<Settings, 'SIGHTLINE_SECRET'>, apps: boolean): Promise<void> {
  if (store.kind === 'embedded' || settings.SIGHTLINE_SECRET !== null) return;
  const client = await store.db.selectFrom('clients').select('id').where('revoked_at', 'is', null).limit(1).executeTakeFirst();
  if (!client && !apps) return;
  const cause = client ? 'once there are OAuth clients' : 'where apps can sign in (SIGHTLINE_PUBLIC_URL is https or loopback)';
  throw new SettingError(
    `SIGHTLINE_SECRET is required with DATABASE_URL ${cause}: set it, the same on every gateway (openssl rand -base64 32 makes one).`,
  );
}
