import type { Authentication, Caller } from '../../accounts/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import { OPERATIONS, type OperationId } from '../../contract/operations/index.ts';
import type { RequestContext } from '../http/request-context.ts';
import { challenge, credentialOf, insufficientScope } from './credentials.ts';
import { isWithin } from './ip-allow-list.ts';
import { addressKey, type LimitRule, limitField, policyField, retryAfter, type Taken } from './rate-limits.ts';

export const MAX_URL_BYTES = 8192;
export const MAX_HEADER_BYTES = 32_768;

/** Bytes of the header section as it came: names, values, and `: ` and CRLF of each. */
function headerBytes(rawHeaders: readonly string[]): number {
  let total = rawHeaders.length * 2;
  for (const text of rawHeaders) total += text.length;
  return total;
}

/** What is refused before the path counts: 503, then what a parser refuses. Throws a ServiceError. */
export function admitAtDoor(x: RequestContext): void {
  const { request, desk } = x;
  const closed = desk.loadShedder.refusal(x.at);
  if (closed) {
    desk.metrics.shed();
    throw closed;
  }
  refuseMalformed(request);
}

/** RFC 9112, 3.2: `uri-host [":" port]`, without userinfo and path; two fields come joined by a comma. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[0-9A-Fa-f]{2})+)(?::\d{0,5})?$/;

/** One valid Host, a target in a form that its method may have, and the limits of size. */
export function refuseMalformed(request: RequestContext['request']): void {
  const { host } = request.headers;
  if (host === undefined ? request.httpVersionMajor === 1 && request.httpVersionMinor === 1 : !HOST.test(host))
    throw new ServiceError('INVALID_REQUEST', 'HTTP/1.1 demands one Host header, such as Host: api.example:8080.');
  if (request.url === '*' && request.method !== 'OPTIONS')
    throw new ServiceError('INVALID_REQUEST', 'The target * belongs to OPTIONS alone: name a path.');
  if ((request.url?.length ?? 0) > MAX_URL_BYTES) throw new ServiceError('URI_TOO_LONG');
  if (headerBytes(request.rawHeaders) > MAX_HEADER_BYTES) throw new ServiceError('HEADERS_TOO_LARGE');
}

/** A GET has no body: it is refused unread, and the connection ends with it. */
export function refuseBody(request: RequestContext['request']): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
  throw new ServiceError('PAYLOAD_TOO_LARGE', 'Requests carry no body: give the parameters in the URL.', { connection: 'close' });
}

/** Too many requests, or too many wrong credentials, from one address. */
function refuseAddress(x: RequestContext, key: string, counted: Taken): void {
  const { desk } = x;
  if (!counted.ok) {
    x.rateLimit = limitField('address', counted);
    x.rateLimitPolicy = policyField('address', desk.addressRule);
    throw new ServiceError('RATE_LIMITED', 'Too many requests from this address: ask again after the time that Retry-After says.', {
      'retry-after': retryAfter(counted.waitMs),
    });
  }
  const waitMs = desk.badCredentials.waitMs(key, x.at);
  if (waitMs > 0) throw tooManyWrong(x, waitMs);
}

function tooManyWrong(x: RequestContext, waitMs: number): ServiceError {
  x.rateLimit = `"credentials";r=0;t=${retryAfter(waitMs)}`;
  x.rateLimitPolicy = policyField('credentials', x.desk.badCredentialsRule);
  return new ServiceError('RATE_LIMITED', 'Too many wrong credentials from this address: ask again after the time that Retry-After says.', {
    'retry-after': retryAfter(waitMs),
  });
}

/** 429 by address, for what has no caller. Gives the key under which wrong credentials are counted. Throws a ServiceError. */
export async function admitAddress(x: RequestContext): Promise<string> {
  const key = addressKey(x.address);
  refuseAddress(x, key, await x.desk.addressLimiter.take(key, x.desk.addressRule, x.at));
  return key;
}

/** 429 by address, 401, 403, 429 by key and account, in this order. Gives who asks, and keeps it in the exchange. Throws a ServiceError. */
export async function admitCaller(x: RequestContext, operation: OperationId | null): Promise<Caller> {
  const { desk } = x;
  const from = addressKey(x.address);
  const byAddress = desk.addressLimiter.take(from, desk.addressRule, x.at);
  refuseAddress(x, from, byAddress instanceof Promise ? await byAddress : byAddress);
  const credential = credentialOf(x.request.headers);
  if (credential.kind === 'none') throw unauthorized(x, false);
  if (credential.kind === 'unusable') throw await wrongCredentials(x, from);
  const asked = desk.accounts.authenticate(credential.value, x.at);
  const authentication: Authentication = asked instanceof Promise ? await asked : asked;
  if (!authentication.ok) throw await wrongCredentials(x, from);
  const { caller } = authentication;
  x.caller = caller;
  let over: ServiceError | null = null;
  if (caller.ratePerSecond !== null || caller.rateBurst !== null) {
    const rule = ruleOf(caller, desk.accountRule);
    over = limited(x, 'key', await desk.accountLimiter.take(`key ${caller.keyId}`, rule, x.at), rule);
  }
  // what is refused for its key takes nothing of the account
  if (!over) {
    const byAccount = desk.accountLimiter.take(caller.accountId, desk.accountRule, x.at);
    over = limited(x, 'account', byAccount instanceof Promise ? await byAccount : byAccount, desk.accountRule);
  }
  // a 403 counts like any request and tells what is left, but comes before the 429
  refuseForbidden(x, caller, operation);
  if (over) throw over;
  return caller;
}

/** Writes the fields of one limit, beside those of the one before; gives the refusal where it is reached. */
function limited(x: RequestContext, name: 'key' | 'account', taken: Taken, rule: LimitRule): ServiceError | null {
  const field = limitField(name, taken);
  const policy = policyField(name, rule);
  x.rateLimit = x.rateLimit === null ? field : `${field}, ${x.rateLimit}`;
  x.rateLimitPolicy = x.rateLimitPolicy === null ? policy : `${policy}, ${x.rateLimitPolicy}`;
  if (taken.ok) return null;
  return new ServiceError(
    'RATE_LIMITED',
    `Too many requests: this ${name} may send ${rule.ratePerSecond} a second, ${rule.burst} at once. Ask again after the time that Retry-After says.`,
    { 'retry-after': retryAfter(taken.waitMs) },
  );
}

/** 403: from this address, for this operation, or with this token's scopes. */
function refuseForbidden(x: RequestContext, caller: Caller, operation: OperationId | null): void {
  if (caller.addresses && !isWithin(caller.addresses, x.address))
    throw new ServiceError('FORBIDDEN', 'These credentials may not be used from this address.');
  if (operation !== null && caller.operations !== null && !caller.operations.includes(operation))
    throw new ServiceError('FORBIDDEN', `These credentials may not use the operation ${operation}.`);
  if (!caller.scopes) return;
  const scope = operation === null ? 'account' : OPERATIONS[operation].area;
  if (caller.scopes.includes(scope)) return;
  throw new ServiceError('FORBIDDEN', `This token lacks the scope ${scope}: ask the token endpoint for one that has it.`, {
    'www-authenticate': insufficientScope(scope, x.desk.resourceMetadata()),
  });
}

/** Credits that the caller has left, holds not counted. */
export const freeCredits = (x: RequestContext, caller: Caller): Promise<number> | number =>
  x.desk.accounts.ledger.remaining(caller.accountId);

export const ruleOf = (caller: Caller, rule: LimitRule): LimitRule =>
  caller.ratePerSecond === null && caller.rateBurst === null
    ? rule
    : { ratePerSecond: caller.ratePerSecond ?? rule.ratePerSecond, burst: caller.rateBurst ?? rule.burst };

/** All bad credentials look alike to the client. */
const unauthorized = (x: RequestContext, came: boolean): ServiceError =>
  new ServiceError(
    'UNAUTHORIZED',
    came ? 'The credentials are not valid: send one API key, as X-API-Key or as Authorization: Bearer, or one access token.' : undefined,
    { 'www-authenticate': challenge(came, x.desk.resourceMetadata()) },
  );

/** They count against the address that brought them, over all gateways before they are told to be wrong. Throws a ServiceError beyond the limit. */
export async function countWrongCredentials(x: RequestContext, from: string): Promise<void> {
  const { badCredentials } = x.desk;
  if (!(await badCredentials.penalize(from, x.at))) throw tooManyWrong(x, badCredentials.waitMs(from, x.at));
}
async function wrongCredentials(x: RequestContext, from: string): Promise<ServiceError> {
  await countWrongCredentials(x, from);
  return unauthorized(x, true);
}
