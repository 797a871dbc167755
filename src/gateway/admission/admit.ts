import type { Caller } from '../../accounts/types.ts';
import { retryAfter, ServiceError } from '../../contract/errors.ts';
import { OPERATIONS, type OperationId } from '../../contract/operations/index.ts';
import { whenKnown } from '../../runtime/when-known.ts';
import { readBody } from '../http/body.ts';
import { refuseMalformed } from '../http/message-limits.ts';
import type { RequestContext } from '../http/request-context.ts';
import { challenge, insufficientScope } from './credentials.ts';
import type { AdmissionDependencies } from './dependencies.ts';
import type { Accepted } from './identify.ts';
import { isWithin } from './ip-allow-list.ts';
import { addressKey, type Limit, type LimitRule, limitField, policyField, type TakeInOrder, type Taken } from './rate-limits.ts';

/** Decides whether a request is served: load, form, rate limits, credentials, permissions. Every check throws a ServiceError. */
export interface Admission {
  /** Counts a request as in flight; each is followed by one `leave`. */
  enter(): void;
  leave(): void;
  /** Checks before routing: 503 under load or during shutdown, then malformed and oversized requests. */
  checkArrival(context: RequestContext): void;
  /** 429 by address, for endpoints without an account. Returns the key under which wrong credentials are counted. */
  admitAddress(context: RequestContext): Promise<string>;
  /**
   * 429 by address, 401, 403, 429 by key and account, in this order. Sets `context.caller`. `operation`: null for account endpoints, `any`
   * for what every caller may do.
   */
  admitCaller(context: RequestContext, operation: OperationId | null | 'any', accepted?: Accepted): Caller | Promise<Caller>;
  /** 403: these credentials may not use the operation; null: an account endpoint. For a caller that was admitted for `any`. */
  checkPermission(context: RequestContext, caller: Caller, operation: OperationId | null): void;
  /**
   * Reads the body: 400, 413. A request that still sends counts against its address (429), and not as one in flight; 503 where a
   * shutdown has begun meanwhile.
   */
  readBody(context: RequestContext, maxBytes: number, tooLarge: string): Promise<string>;
  /** 429: too many sign-ins and changes of one account (or of the operator), each of which the store has to write. */
  admitChange(context: RequestContext, owner: string): Promise<void>;
  /** Counts wrong credentials against the address, across all gateways, before the 401 is sent. 429 beyond the limit. */
  countWrongCredentials(context: RequestContext, addressKey: string): Promise<void>;
  /** Rate limit of a key, or of its account where the key has none. */
  limitsOf(caller: Caller): LimitRule;
}

/** Sign-ins and changes through the console, by account. */
const CHANGE_RULE: LimitRule = { ratePerSecond: 1, burst: 30 };

export function createAdmission(admission: AdmissionDependencies): Admission {
  const { loadShedder, metrics, addressLimiter, addressRule, accountLimiter, accountRule, badCredentials, inOneStep, resourceMetadata } =
    admission;

  /** Requests that still send, by address. */
  const sending = new Map<string, number>();

  function refuseUnderLoad(context: RequestContext): void {
    const refusal = loadShedder.refusal(context.at);
    if (!refusal) return;
    metrics.shed();
    throw refusal;
  }

  /** 429: too many requests, or too many wrong credentials, from one address. */
  function refuseAddress(context: RequestContext, key: string, counted: Taken): void {
    if (!counted.ok) {
      context.rateLimit = limitField('address', counted);
      context.rateLimitPolicy = policyField('address', addressRule);
      throw tooMany('Too many requests from this address', counted.waitMs);
    }
    const waitMs = badCredentials.waitMs(key, context.at);
    if (waitMs > 0) throw tooManyWrong(context, waitMs);
  }

  function tooManyWrong(context: RequestContext, waitMs: number): ServiceError {
    context.rateLimit = `"credentials";r=0;t=${retryAfter(waitMs)}`;
    context.rateLimitPolicy = policyField('credentials', admission.badCredentialsRule);
    return tooMany('Too many wrong credentials from this address', waitMs);
  }

  async function countWrongCredentials(context: RequestContext, key: string): Promise<void> {
    if (!(await badCredentials.penalize(key, context.at))) throw tooManyWrong(context, badCredentials.waitMs(key, context.at));
  }

  /** 401. The message is the same for all wrong credentials. `given`: the request had credentials. */
  const unauthorized = (context: RequestContext, given: boolean): ServiceError =>
    new ServiceError(
      'UNAUTHORIZED',
      admission.credentialsNeeded ??
        (given
          ? 'The credentials are not valid: send one API key, as X-API-Key or as Authorization: Bearer, or one access token.'
          : undefined),
      { 'www-authenticate': challenge(given, resourceMetadata(context)) },
    );

  async function wrongCredentials(context: RequestContext, key: string): Promise<ServiceError> {
    await countWrongCredentials(context, key);
    return unauthorized(context, true);
  }

  const limitsOf = (caller: Caller): LimitRule =>
    caller.ratePerSecond === null && caller.rateBurst === null
      ? accountRule
      : { ratePerSecond: caller.ratePerSecond ?? accountRule.ratePerSecond, burst: caller.rateBurst ?? accountRule.burst };

  /** 403: address, operation or token scope not permitted. */
  function refuseForbidden(context: RequestContext, caller: Caller, operation: OperationId | null | 'any'): void {
    if (caller.addresses && !isWithin(caller.addresses, context.address))
      throw new ServiceError('FORBIDDEN', 'These credentials may not be used from this address.');
    if (operation === 'any') return;
    if (operation !== null && caller.operations !== null && !caller.operations.includes(operation))
      throw new ServiceError('FORBIDDEN', `These credentials may not use the operation ${operation}.`);
    if (!caller.scopes) return;
    const scope = operation === null ? 'account' : OPERATIONS[operation].area.id;
    if (caller.scopes.includes(scope)) return;
    throw new ServiceError('FORBIDDEN', `This token lacks the scope ${scope}: ask the token endpoint for one that has it.`, {
      'www-authenticate': insufficientScope(scope, resourceMetadata(context)),
    });
  }

  /** The limits of a key, if it has its own, and of its account. */
  function callerLimits(caller: Caller): readonly CallerLimit[] {
    const account: CallerLimit = { name: 'account', limiter: 'account', key: caller.accountId, rule: accountRule };
    if (caller.ratePerSecond === null && caller.rateBurst === null) return [account];
    return [{ name: 'key', limiter: 'account', key: `key ${caller.countedAs ?? caller.keyId}`, rule: limitsOf(caller) }, account];
  }

  /** `admitCaller` for a caller that is known before the address is counted: all limits in one step. */
  async function admitKnown(
    context: RequestContext,
    key: string,
    caller: Caller,
    operation: OperationId | null | 'any',
    takeInOrder: TakeInOrder,
  ): Promise<Caller> {
    const limits = callerLimits(caller);
    const [byAddress, ...counted] = await takeInOrder([{ limiter: 'address', key, rule: addressRule }, ...limits], context.at);
    if (byAddress) refuseAddress(context, key, byAddress);
    context.caller = caller;
    let limited: ServiceError | null = null;
    for (const [i, limit] of limits.entries()) {
      const taken = counted[i];
      if (taken) limited = applyLimit(context, limit, taken);
    }
    refuseForbidden(context, caller, operation);
    if (limited) throw limited;
    return caller;
  }

  /** The first limit that is exceeded: a request refused by the limit of its key does not count against the account. */
  function takeLimits(
    context: RequestContext,
    [limit, ...others]: readonly CallerLimit[],
  ): ServiceError | null | Promise<ServiceError | null> {
    if (!limit) return null;
    return whenKnown(
      accountLimiter.take(limit.key, limit.rule, context.at),
      (taken) => applyLimit(context, limit, taken) ?? takeLimits(context, others),
    );
  }

  function admitIdentified(context: RequestContext, caller: Caller, operation: OperationId | null | 'any'): Caller | Promise<Caller> {
    context.caller = caller;
    return whenKnown(takeLimits(context, callerLimits(caller)), (limited) => {
      // 403 comes before 429; a forbidden request counts against the limit and carries the RateLimit fields like any other
      refuseForbidden(context, caller, operation);
      if (limited) throw limited;
      return caller;
    });
  }

  async function refuseUnidentified(context: RequestContext, key: string, given: boolean): Promise<never> {
    throw given ? await wrongCredentials(context, key) : unauthorized(context, false);
  }

  return {
    enter: loadShedder.enter,
    leave: loadShedder.leave,
    checkArrival(context) {
      refuseUnderLoad(context);
      refuseMalformed(context.request);
    },
    checkPermission: refuseForbidden,
    async readBody(context, maxBytes, tooLarge) {
      const key = addressKey(context.address);
      const count = sending.get(key) ?? 0;
      if (count >= addressRule.burst) throw tooMany('Too many requests from this address are still being sent', 1_000);
      sending.set(key, count + 1);
      loadShedder.leave();
      try {
        return await readBody(context.request, maxBytes, tooLarge);
      } finally {
        loadShedder.enter();
        const left = (sending.get(key) ?? 1) - 1;
        if (left > 0) sending.set(key, left);
        else sending.delete(key);
        if (loadShedder.draining()) refuseUnderLoad(context);
      }
    },
    async admitAddress(context) {
      const key = addressKey(context.address);
      refuseAddress(context, key, await addressLimiter.take(key, addressRule, context.at));
      return key;
    },
    admitCaller(context, operation, accepted = 'header') {
      const key = addressKey(context.address);
      const known = inOneStep && badCredentials.waitMs(key, context.at) === 0 ? inOneStep.identifyKnown(context) : null;
      if (inOneStep && known) return admitKnown(context, key, known, operation, inOneStep.takeInOrder);
      return whenKnown(addressLimiter.take(key, addressRule, context.at), (byAddress) => {
        refuseAddress(context, key, byAddress);
        return whenKnown(admission.identify(context, accepted), (identified) =>
          identified.ok
            ? admitIdentified(context, identified.caller, operation)
            : refuseUnidentified(context, key, identified.reason !== 'missing'),
        );
      });
    },
    async admitChange(context, owner) {
      const counted = await accountLimiter.take(`change ${owner}`, CHANGE_RULE, context.at);
      if (counted.ok) return;
      throw tooMany('Too many sign-ins and changes', counted.waitMs);
    },
    countWrongCredentials,
    limitsOf,
  };
}

const tooMany = (what: string, waitMs: number): ServiceError =>
  new ServiceError('RATE_LIMITED', `${what}: ask again after the time that Retry-After says.`, { 'retry-after': retryAfter(waitMs) });

interface CallerLimit extends Limit {
  readonly name: 'key' | 'account';
}

/** Adds the RateLimit fields of one limit to those of the previous limit. Returns the refusal if the limit is exceeded. */
function applyLimit(context: RequestContext, { name, rule }: CallerLimit, taken: Taken): ServiceError | null {
  const field = limitField(name, taken);
  const policy = policyField(name, rule);
  context.rateLimit = context.rateLimit === null ? field : `${field}, ${context.rateLimit}`;
  context.rateLimitPolicy = context.rateLimitPolicy === null ? policy : `${policy}, ${context.rateLimitPolicy}`;
  if (taken.ok) return null;
  return new ServiceError(
    'RATE_LIMITED',
    `Too many requests: this ${name} may send ${rule.ratePerSecond} a second, ${rule.burst} at once. Ask again after the time that Retry-After says.`,
    { 'retry-after': retryAfter(taken.waitMs) },
  );
}
