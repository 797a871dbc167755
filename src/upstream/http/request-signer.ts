import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import { type Clock, DAY_MS } from '../../runtime/clock.ts';
import type { RandomBytes } from '../../runtime/uuid.ts';
import { SettingError, type Settings } from '../../settings.ts';
import { urlFault } from './guard.ts';
import { quoted, requestComponents, signMessage } from './message-signature.ts';

/** Path of the key directory (draft-meunier-webbotauth-httpsig-protocol, IANA considerations). */
export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';
/** How long verifiers may use a copy of the directory. Shorter than `LEAD_MS`, so that no verifier meets a key that its copy lacks. */
export const DIRECTORY_MAX_AGE_S = 21_600;

/** A key signs for this long. */
const PERIOD_MS = 30 * DAY_MS;
/** The next key is in the directory for this long before it signs. */
const LEAD_MS = DAY_MS;
/** The previous key stays in the directory for this long after its last signature. */
const OVERLAP_MS = DAY_MS;
/** A signature is valid for this long: a request is sent at once. */
const LIFETIME_S = 60;
const DIRECTORY_LIFETIME_S = 86_400;
const MADE_ANEW_MS = 60_000;
const NONCE_BYTES = 64;
const LABEL = 'sig1';
/** PKCS #8 of an Ed25519 key (RFC 8410, 7), without the 32 bytes of the seed that follow. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

interface SigningKey {
  readonly key: KeyObject;
  readonly x: string;
  /** JWK thumbprint (RFC 8037, A.3). */
  readonly id: string;
  /** The first and the last moment at which it signs, epoch seconds. */
  readonly from: number;
  readonly until: number;
}
/** Signs requests of page sources (Web Bot Auth), and serves the directory of the keys. */
export interface RequestSigner {
  /** The origin under which the keys are published. */
  readonly agent: string;
  /** Signature-Agent, Signature-Input and Signature of a request; none over http, where they could be copied on the way. */
  headersFor(method: string, url: URL): Readonly<Record<string, string>>;
  /** The JSON text of the key directory at `agent`, and its headers with a signature for each key; made anew once a minute. */
  directory(): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> };
}
type Directory = ReturnType<RequestSigner['directory']>;

/** The key of a period: derived from the secret, so that all processes that know it sign with the same key, and none is stored. */
export function ed25519KeyOf(seed: Uint8Array): { readonly key: KeyObject; readonly x: string; readonly id: string } {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_START, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const id = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
  return { key, x, id };
}

/** The origin that signed requests name. Throws a SettingError where SIGHTLINE_PUBLIC_URL is no https address of a public host. */
function agentOf({ SIGHTLINE_PUBLIC_URL: publicUrl }: Pick<Settings, 'SIGHTLINE_PUBLIC_URL'>): string {
  const needs = 'SIGHTLINE_SIGN_REQUESTS=1 needs SIGHTLINE_PUBLIC_URL, an https address of a public host, where sites look up the keys';
  if (publicUrl === null) throw new SettingError(`${needs}: set it, or leave SIGHTLINE_SIGN_REQUESTS out.`);
  const url = new URL(publicUrl);
  const fault = url.protocol === 'https:' ? urlFault(url) : 'no https address';
  if (fault !== null) throw new SettingError(`${needs}: ${JSON.stringify(publicUrl.slice(0, 80))} is refused (${fault}).`);
  return url.origin;
}

export interface SignerParts {
  readonly settings: Pick<Settings, 'SIGHTLINE_SIGN_REQUESTS' | 'SIGHTLINE_PUBLIC_URL' | 'SIGHTLINE_SECRET' | 'REDIS_URL'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomBytes: RandomBytes;
  /** The service's secret; null: there is none. */
  readonly secret: () => string | null;
}

/** Null unless SIGHTLINE_SIGN_REQUESTS is on. Throws a SettingError where a setting that signing needs is missing. */
export function createRequestSigner({ settings, clock, randomBytes, secret: secretOf }: SignerParts): RequestSigner | null {
  if (!settings.SIGHTLINE_SIGN_REQUESTS) return null;
  const agent = agentOf(settings);
  const secret = settings.REDIS_URL !== null && settings.SIGHTLINE_SECRET === null ? null : secretOf();
  if (secret === null)
    throw new SettingError(
      'SIGHTLINE_SIGN_REQUESTS=1 needs SIGHTLINE_SECRET here: set the same on every process, so that all sign with one key (openssl rand -base64 32 makes one).',
    );
  const keys = new Map<number, SigningKey>();
  function keyOf(period: number): SigningKey {
    const made = keys.get(period);
    if (made) return made;
    const seed = new Uint8Array(hkdfSync('sha256', secret ?? '', 'sightline', `request-signing ${period}`, 32));
    const key = { ...ed25519KeyOf(seed), from: (period * PERIOD_MS) / 1000, until: ((period + 1) * PERIOD_MS) / 1000 };
    for (const old of keys.keys()) if (old < period - 1) keys.delete(old);
    keys.set(period, key);
    return key;
  }
  let served: { readonly servedMs: number; readonly directory: Directory } | null = null;
  const periodAt = (ms: number): number => Math.floor(ms / PERIOD_MS);

  return {
    agent,
    headersFor(method, url): Readonly<Record<string, string>> {
      if (url.protocol !== 'https:') return {};
      const now = clock.now();
      const created = Math.floor(now / 1000);
      const { key, id } = keyOf(periodAt(now));
      const covered = [...requestComponents(method, url), { identifier: `"signature-agent";key=${quoted(LABEL)}`, value: quoted(agent) }];
      const { input, signature } = signMessage(
        covered,
        {
          created,
          expires: created + LIFETIME_S,
          keyid: id,
          alg: 'ed25519',
          nonce: Buffer.from(randomBytes(NONCE_BYTES)).toString('base64'),
          tag: 'web-bot-auth',
        },
        key,
      );
      return {
        'signature-agent': `${LABEL}=${quoted(agent)}`,
        'signature-input': `${LABEL}=${input}`,
        signature: `${LABEL}=${signature}`,
      };
    },
    directory() {
      const now = clock.now();
      if (served !== null && Math.abs(now - served.servedMs) < MADE_ANEW_MS) return served.directory;
      const created = Math.floor(now / 1000);
      const periods = [...new Set([now - OVERLAP_MS, now, now + LEAD_MS].map(periodAt))];
      const published = periods.map(keyOf);
      const body = Buffer.from(
        JSON.stringify({
          // no `alg`: RFC 9421 and WebCrypto name the algorithm differently, and WebCrypto refuses the other name
          keys: published.map(({ x, id, from, until }) => ({
            kty: 'OKP',
            crv: 'Ed25519',
            x,
            kid: id,
            use: 'sig',
            nbf: from,
            exp: until + OVERLAP_MS / 1000,
          })),
        }),
      );
      const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
      const covered = [
        { identifier: '"@authority";req', value: new URL(agent).host },
        { identifier: '"content-digest"', value: digest },
      ];
      const signed = published.map(({ key, id }, i) => ({
        label: `key${i + 1}`,
        ...signMessage(
          covered,
          { created, expires: created + DIRECTORY_LIFETIME_S, keyid: id, alg: 'ed25519', tag: 'http-message-signatures-directory' },
          key,
        ),
      }));
      const directory: Directory = {
        body,
        headers: {
          'Content-Type': DIRECTORY_TYPE,
          'Cache-Control': `public, max-age=${DIRECTORY_MAX_AGE_S}`,
          'Content-Digest': digest,
          'Signature-Input': signed.map(({ label, input }) => `${label}=${input}`).join(', '),
          Signature: signed.map(({ label, signature }) => `${label}=${signature}`).join(', '),
        },
      };
      served = { servedMs: now, directory };
      return directory;
    },
  };
}
