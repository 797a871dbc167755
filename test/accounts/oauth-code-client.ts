/** A scripted app and a scripted person at the consent page. */

import { createHash } from 'node:crypto';
import { inject } from '../support/inject.ts';
import { BASE, openTestService, type Reply, type TestOptions, type TestService } from './test-service.ts';

export const REDIRECT = 'https://app.example/callback';
export const VERIFIER = 'v'.repeat(50);
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
export const OWN = { 'sec-fetch-site': 'same-origin' };

export interface Person {
  readonly cookie: string;
}
export interface CodeService extends TestService {
  register(metadata?: object): Promise<Reply>;
  /** Id of a registered app. */
  app(redirectUris?: readonly string[]): Promise<string>;
  signIn(key?: string): Promise<Person>;
  /** Query of an authorization request; null leaves a parameter out. */
  query(clientId: string, more?: Record<string, string | null>): string;
  /** The consent page. */
  page(person: Person | null, query: string, headers?: Record<string, string>): Promise<Reply>;
  decide(person: Person | null, query: string, more?: Record<string, string>, headers?: Record<string, string>): Promise<Reply>;
  /** A code, from registration to consent. */
  code(clientId: string, more?: Record<string, string | null>): Promise<string>;
  redeem(clientId: string, code: string, more?: Record<string, string>): Promise<Reply>;
  refresh(clientId: string, token: string, more?: Record<string, string>): Promise<Reply>;
}

export async function openCodeService(options: Pick<TestOptions, 'http' | 'clock' | 'settings' | 'watches'> = {}): Promise<CodeService> {
  const settings = { SIGHTLINE_PUBLIC_URL: BASE, ...options.settings };
  const h = await openTestService({ ...options, settings });
  const send = async (method: 'GET' | 'POST', url: string, payload?: string, headers: Record<string, string> = {}): Promise<Reply> => {
    const r = await inject(h.gateway.app, { method, url, headers, ...(payload !== undefined && { payload }) });
    const json = /json/.test(String(r.headers['content-type']));
    return { status: r.statusCode, headers: r.headers as never, text: r.body, body: json ? JSON.parse(r.body) : {} };
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const cookieOf = (person: Person | null): Record<string, string> => (person ? { cookie: person.cookie } : {});
  const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send('POST', url, new URLSearchParams(fields).toString(), { ...form, ...headers });
  const it: CodeService = Object.assign(h, {
    register: (metadata: object = { client_name: 'Desk', redirect_uris: [REDIRECT] }) =>
      send('POST', '/v1/oauth/register', JSON.stringify(metadata), { 'content-type': 'application/json' }),
    app: async (redirectUris: readonly string[] = [REDIRECT]) =>
      String((await it.register({ client_name: 'Desk', redirect_uris: redirectUris })).body.client_id),
    async signIn(key = h.first.key) {
      const reply = await post('/console/consent/sign-in', { request: 'a=b', credential: key }, OWN);
      return { cookie: String(reply.headers['set-cookie']).split(';', 1)[0] ?? '' };
    },
    query(clientId: string, more: Record<string, string | null> = {}) {
      const all: Record<string, string | null> = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: REDIRECT,
        state: 'st',
        code_challenge: CHALLENGE,
        code_challenge_method: 'S256',
        ...more,
      };
      return new URLSearchParams(Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null)).toString();
    },
    page: (person: Person | null, query: string, headers: Record<string, string> = OWN) =>
      send('GET', `/console/consent?${query}`, undefined, { ...cookieOf(person), ...headers }),
    decide: (person: Person | null, query: string, more: Record<string, string> = {}, headers: Record<string, string> = OWN) => {
      const fields = new URLSearchParams({ request: query, decision: 'allow', creditsPerDay: '50', days: '30', ...more });
      if (more.scope === undefined) for (const scope of ['registration', 'account']) fields.append('scope', scope);
      return send('POST', '/console/consent', fields.toString(), { ...form, ...cookieOf(person), ...headers });
    },
    async code(clientId: string, more: Record<string, string | null> = {}) {
      const reply = await it.decide(await it.signIn(), it.query(clientId, more));
      return String(new URL(String(reply.headers.location)).searchParams.get('code'));
    },
    redeem: (clientId: string, code: string, more: Record<string, string> = {}) =>
      post('/v1/oauth/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        redirect_uri: REDIRECT,
        code_verifier: VERIFIER,
        ...more,
      }),
    refresh: (clientId: string, token: string, more: Record<string, string> = {}) =>
      post('/v1/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more }),
  });
  return it;
}
