import { ALL_SCOPES, isScope, type Scope } from '../../contract/scopes.ts';
import { type App, type Apps, isRegistered } from './apps.ts';

export interface Authorization {
  readonly app: App;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly challenge: string;
  readonly scopes: readonly Scope[];
  readonly resource: string;
}
export type ReadAuthorization =
  | { readonly kind: 'asks'; readonly asks: Authorization }
  /** The client or its redirect is not proven: the person sees a page, and nothing is redirected (RFC 6749, 4.1.2.1). */
  | { readonly kind: 'page'; readonly message: string }
  /** The client and its redirect are proven, but the request cannot be granted: `location` tells the app. */
  | { readonly kind: 'fault'; readonly clientId: string; readonly location: string; readonly message: string };

/** Names of this service as a resource: all of it, and its endpoint of the Model Context Protocol. */
export const resourcesOf = (baseUrl: string): readonly string[] => [baseUrl, `${baseUrl}/mcp`];
/** The resource that these indicators name (RFC 8707); null: another one. */
export function resourceIndicator(baseUrl: string, indicators: readonly string[]): string | null {
  const named = new Set(indicators.map((text) => text.replace(/\/$/, '')));
  if (named.size === 0) return baseUrl;
  const [only] = named;
  return named.size === 1 && only !== undefined && resourcesOf(baseUrl).includes(only) ? only : null;
}

/** Whether a token of a grant for one resource may be for another: for the same one, or for a part of it. */
export const isPartOf = (resource: string, granted: string): boolean => resource === granted || resource.startsWith(`${granted}/`);

/** The redirect that carries an answer, with the issuer (RFC 9207). */
export function answerUrl(
  { redirectUri, state }: Pick<Authorization, 'redirectUri' | 'state'>,
  baseUrl: string,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state !== null && { state }), iss: baseUrl });
  // appended as text: the registered query must come back as it is
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}

/** The parameters of a request: one without a value counts as left out (RFC 6749, 3.1 and 3.2). */
export const parametersSent = (given: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...given].filter(([, value]) => value !== ''));

/** Reads an authorization request: OAuth 2.1 with PKCE S256. */
export async function readAuthorization(apps: Pick<Apps, 'find'>, baseUrl: string, sent: URLSearchParams): Promise<ReadAuthorization> {
  const query = parametersSent(sent);
  const page = (message: string): ReadAuthorization => ({ kind: 'page', message });
  const one = (name: string): string | null => (query.getAll(name).length === 1 ? query.get(name) : null);
  const clientId = one('client_id');
  if (!clientId) return page('The app sent no client_id, or several.');
  const app = await apps.find(clientId);
  if ('fault' in app) return page(app.fault);
  if (query.getAll('redirect_uri').length > 1) return page('The app sent several redirect_uri.');
  const [only, another] = app.redirectUris;
  const redirectUri = one('redirect_uri') ?? (another === undefined ? only : undefined);
  if (!redirectUri || !isRegistered(redirectUri, app.redirectUris))
    return page('The app wants its answer at an address (redirect_uri) that it did not register. Somebody else may have made this link.');

  const state = one('state');
  const no = (error: string, description: string): ReadAuthorization => ({
    kind: 'fault',
    clientId,
    message: description,
    location: answerUrl({ redirectUri, state }, baseUrl, { error, error_description: description }),
  });
  for (const name of query.keys())
    if (name !== 'resource' && query.getAll(name).length > 1) return no('invalid_request', 'A parameter is given more than once.');
  const type = one('response_type');
  if (!type) return no('invalid_request', 'response_type is missing: send code.');
  if (type !== 'code') return no('unsupported_response_type', 'The only response type here is code.');
  const challenge = one('code_challenge');
  if (!challenge || !/^[\w-]{43}$/.test(challenge) || one('code_challenge_method') !== 'S256')
    return no('invalid_request', 'PKCE is required: send code_challenge with code_challenge_method=S256.');
  const resource = resourceIndicator(baseUrl, query.getAll('resource'));
  if (resource === null) return no('invalid_target', `Tokens are given for ${resourcesOf(baseUrl).join(' and ')} alone.`);
  const wanted = (one('scope') ?? '').split(' ').filter(Boolean);
  if (!wanted.every(isScope)) return no('invalid_scope', `The scopes here are ${ALL_SCOPES.join(' ')}.`);
  const scopes = wanted.length ? ALL_SCOPES.filter((scope) => wanted.includes(scope)) : ALL_SCOPES;
  return { kind: 'asks', asks: { app, redirectUri, state, challenge, scopes, resource } };
}
