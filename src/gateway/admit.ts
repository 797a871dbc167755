import type { Authentication, Caller } from '../accounts/types.ts';
import { ServiceError } from '../contract/errors.ts';
import type { OperationId } from '../contract/operations.ts';
import { challenge, credentialOf } from './authenticate.ts';
import type { Exchange } from './exchange.ts';
import { addressKey, type LimitRule, limitField, policyField, retryAfter } from './limits.ts';

export const MAX_URL_BYTES = 8192;
export const MAX_HEADER_BYTES = 32_768;

/** Bytes of the header section as it came: names, values, and `: ` and CRLF of each. */
function headerBytes(rawHeaders: readonly string[]): number {
  let total = rawHeaders.length * 2;
  for (const text of rawHeaders) total += text.length;
  return total;
}

/** What is refused before the path counts: 503, then what a parser refuses. Throws a ServiceError. */
export function admitAtDoor(x: Exchange): void {
  const { request, desk } = x;
  const closed = desk.gate.refusal(x.at);
  if (closed) {
    desk.metrics.shed();
    throw closed;
  }
  refuseMalformed(request);
}

/** RFC 9112, 3.2: one Host, always; a second one comes joined by a comma. And the limits of size. */
export function refuseMalformed(request: Exchange['request']): void {
  const { host } = request.headers;
  if (host === undefined ? request.httpVersionMajor === 1 && request.httpVersionMinor === 1 : host.includes(','))
    throw new ServiceError('INVALID_REQUEST', 'HTTP/1.1 demands one Host header.');
  if ((request.url?.length ?? 0) > MAX_URL_BYTES) throw new ServiceError('URI_TOO_LONG');
  if (headerBytes(request.rawHeaders) > MAX_HEADER_BYTES) throw new ServiceError('HEADERS_TOO_LARGE');
}

/** A GET has no body: it is refused unread, and the connection ends with it. */
export function refuseBody(request: Exchange['request']): void {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
  throw new ServiceError('PAYLOAD_TOO_LARGE', 'Requests carry no body: give the parameters in the URL.', { connection: 'close' });
}

/** 429 by address, 401, 403, 429 by account, in this order. Gives who asks, and keeps it in the exchange. Throws a ServiceError. */
export async function admitCaller(x: Exchange, operation: OperationId | null): Promise<Caller> {
  const { desk } = x;
  const byAddress = desk.addressLimiter.take(addressKey(x.address), desk.addressRule, x.at);
  const counted = byAddress instanceof Promise ? await byAddress : byAddress;
  if (!counted.ok) {
    x.rateLimit = limitField('address', counted);
    x.rateLimitPolicy = policyField('address', desk.addressRule);
    throw new ServiceError('RATE_LIMITED', 'Too many requests from this address: ask again after the time that Retry-After says.', {
      'retry-after': retryAfter(counted.waitMs),
    });
  }
  const credential = credentialOf(x.request.headers);
  if (credential.kind !== 'given') throw unauthorized(x, credential.kind !== 'none');
  const asked = fromStore(x, () => desk.accounts.authenticate(credential.value, x.at));
  const authentication: Authentication = asked instanceof Promise ? await asked : asked;
  if (!authentication.ok) throw unauthorized(x, true);
  const { caller } = authentication;
  x.caller = caller;
  if (operation !== null && caller.operations !== null && !caller.operations.includes(operation))
    throw new ServiceError('FORBIDDEN', `These credentials may not use the operation ${operation}.`);
  const rule = ruleOf(caller, desk.accountRule);
  const byAccount = desk.accountLimiter.take(caller.accountId, rule, x.at);
  const taken = byAccount instanceof Promise ? await byAccount : byAccount;
  x.rateLimit = limitField('account', taken);
  x.rateLimitPolicy = policyField('account', rule);
  if (!taken.ok)
    throw new ServiceError(
      'RATE_LIMITED',
      `Too many requests: this account may send ${rule.ratePerSecond} a second, ${rule.burst} at once. Ask again after the time that Retry-After says.`,
      { 'retry-after': retryAfter(taken.waitMs) },
    );
  return caller;
}

/** Nothing is served unmetered: where the store does not answer, neither do we. */
function storeAway(x: Exchange, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  x.desk.log.error({ err: error, requestId: x.requestId }, 'the store did not answer');
  return new ServiceError('UNAVAILABLE', undefined, { 'retry-after': '5' });
}
/** What the store's room gives, at once where it is kept in process; its failing is a 503. */
function fromStore<T>(x: Exchange, ask: () => Promise<T> | T): Promise<T> | T {
  const failed = (error: unknown): never => {
    throw storeAway(x, error);
  };
  try {
    const asked = ask();
    return asked instanceof Promise ? asked.catch(failed) : asked;
  } catch (error) {
    return failed(error);
  }
}
/** Credits that the caller has left, holds not counted. */
export const freeCredits = (x: Exchange, caller: Caller): Promise<number> | number =>
  fromStore(x, () => x.desk.accounts.ledger.remaining(caller.accountId));

export const ruleOf = (caller: Caller, rule: LimitRule): LimitRule =>
  caller.ratePerSecond === null && caller.rateBurst === null
    ? rule
    : { ratePerSecond: caller.ratePerSecond ?? rule.ratePerSecond, burst: caller.rateBurst ?? rule.burst };

/** All bad credentials look alike to the client. */
const unauthorized = (x: Exchange, came: boolean): ServiceError =>
  new ServiceError(
    'UNAUTHORIZED',
    came ? 'The credentials are not valid: send one API key, as X-API-Key or as Authorization: Bearer.' : undefined,
    { 'www-authenticate': challenge(came, x.desk.resourceMetadata) },
  );
