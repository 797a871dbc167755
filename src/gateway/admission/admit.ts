import { demandTarget, Forbidden, type Target } from '../../accounts/rights.ts';
import type { Accounts, Caller } from '../../accounts/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { rateLimited } from '../../contract/rate-limited.ts';
import { type Admitted, admit } from '../../lookups/states.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { demandWellFormed } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { createBodyReader } from './bodies.ts';
import { challenge, credentialOf, demandAddress, insufficientScope } from './credentials.ts';
import type { Accepted, Identify } from './identify.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { createPenalties, Limit, LimitRule, OneOrMore, TakeLimits, Taken } from './rate-limits.ts';
import { addressKey, allowedIn, applyLimit, createCallerLimits, limitField, policyField, takeOne } from './rate-limits.ts';

export interface AdmissionParts {
  readonly identify: Identify;
  /** Callers whose credentials are verified already, without a read of the store; null: none are known before `identify`. */
  readonly authenticateCached: Accounts['authenticateCached'] | null;
  readonly takeLimits: TakeLimits;
  /** Message of every 401. Default: those for API keys and tokens. */
  readonly credentialsNeeded?: string;
  readonly metrics: Metrics;
  readonly loadShedder: LoadShedder;
  readonly addressRule: LimitRule;
  readonly accountRule: LimitRule;
  readonly badCredentials: ReturnType<typeof createPenalties>;
  /** URL of the RFC 9728 document; null without OAuth. */
  readonly resourceMetadata: (context: RequestContext) => string | null;
}

/** Decides whether a request is served: load, form, rate limits, credentials, permissions. Every check throws a ServiceError. */
export type Admission = ReturnType<typeof createAdmission>;

interface AddressLimits {
  readonly key: string;
  readonly limits: OneOrMore<Limit>;
}
const MAX_ADDRESSES = 10_000;

/** Sign-ins and changes through the console, by account. */
const CHANGE_RULE: LimitRule = { ratePerSecond: 1, burst: 30 };
/** Test messages of an account: ten at once, and ten an hour in the long run. */
const TEST_RULE: LimitRule = { ratePerSecond: 10 / 3_600, burst: 10 };

export function createAdmission(admission: AdmissionParts) {
  const { loadShedder, metrics, takeLimits, addressRule, badCredentials, resourceMetadata } = admission;
  const { ruleOf, limitsOf } = createCallerLimits(admission.accountRule);

  function demandCapacity(context: RequestContext): void {
    const refusal = loadShedder.refusal(context.atMs);
    if (!refusal) return;
    metrics.shed();
    throw refusal;
  }

  const addresses = new Map<string | undefined, AddressLimits>();
  function limitsOfAddress(address: string | undefined): AddressLimits {
    const known = addresses.get(address);
    if (known) return known;
    const key = addressKey(address);
    const made: AddressLimits = { key, limits: [{ limiter: 'address', key, rule: addressRule }, badCredentials.limitOf(key)] };
    if (addresses.size === MAX_ADDRESSES) addresses.clear();
    addresses.set(address, made);
    return made;
  }

  /** 429: too many requests, or too many wrong credentials, from one address. */
  function demandAddressLimits(byAddress: Taken | undefined, wrong: Taken | undefined): void {
    if (byAddress) demandLeft('address', addressRule, byAddress, 'Too many requests from this address');
    if (wrong?.ok === false) throw tooManyWrong(wrong.waitMs);
  }

  const tooManyWrong = (waitMs: number): ServiceError =>
    badCredentials.refusal('Too many wrong credentials from this address: ask again after the time that Retry-After says.', waitMs);

  /** Counts wrong credentials against the address, across all gateways, before the 401 is sent. 429 beyond the limit. */
  async function countWrongCredentials(context: RequestContext, key: string): Promise<void> {
    const { ok, waitMs } = await badCredentials.penalize(key, context.atMs);
    if (!ok) throw tooManyWrong(waitMs);
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

  /** What was thrown; a 403 of an access token carries the challenge that names the scopes it would need. */
  function challenged(context: RequestContext, thrown: unknown): unknown {
    if (!(thrown instanceof Forbidden) || !context.caller?.scopes || thrown.scopes.length === 0) return thrown;
    return new ServiceError('FORBIDDEN', thrown.message, {
      'www-authenticate': insufficientScope(thrown.scopes.join(' '), resourceMetadata(context)),
    });
  }

  /** 403: address, operation, token scope or kind of session not permitted. `named`: the operation that the request names, where it is read already. */
  function demandPermission(context: RequestContext, caller: Caller, target: Target, named: OperationId | null = null): void {
    demandAddress(caller.addresses, context);
    try {
      demandTarget(caller, target, named);
    } catch (thrown) {
      throw challenged(context, thrown);
    }
  }

  function cachedCaller(context: RequestContext): Caller | null {
    if (!admission.authenticateCached) return null;
    const credential = credentialOf(context.request.headers);
    const authentication =
      credential.kind === 'given' ? admission.authenticateCached(credential.value, context.atMs, context.request.socket) : null;
    return authentication?.ok ? authentication.caller : null;
  }

  /** `counted`: the limits of the caller, up to the one that is exceeded. */
  function admitCounted(context: RequestContext, caller: Caller, counted: readonly Taken[], target: Target): Admitted<Caller> {
    context.caller = caller;
    let limited: ServiceError | null = null;
    for (const [i, limit] of limitsOf(caller).entries()) {
      const taken = counted[i];
      if (taken) limited = applyLimit(context, limit, taken);
    }
    // 403 comes before 429; a forbidden request counts against the limit and carries the RateLimit fields like any other
    demandPermission(context, caller, target);
    if (limited) throw limited;
    return admit(context, caller);
  }

  return {
    enter: loadShedder.enter,
    leave: loadShedder.leave,
    demandServable(context: RequestContext): void {
      demandCapacity(context);
      demandWellFormed(context.request);
    },
    demandPermission,
    challenged,
    /** A request that still sends its body counts against its address (429), not as one in flight; 503 in a shutdown. */
    ...createBodyReader({
      mostOfAddress: addressRule.burst,
      leave: loadShedder.leave,
      enter(context) {
        loadShedder.enter();
        if (loadShedder.draining()) demandCapacity(context);
      },
    }),
    /** 429 by address, for endpoints without an account. Returns the key under which wrong credentials are counted. */
    async admitAddress(context: RequestContext): Promise<string> {
      const { key, limits } = limitsOfAddress(context.address);
      const [requests, wrong] = await takeLimits(limits, context.atMs);
      demandAddressLimits(requests, wrong);
      return key;
    },
    /** 429 by address, 401, 403, 429 by key and account; sets `context.caller`. In this turn of the event loop where all is known here. */
    async admitCaller(context: RequestContext, target: Target, accepted: Accepted = 'header'): Promise<Admitted<Caller>> {
      const { key, limits: byAddress } = limitsOfAddress(context.address);
      const known = cachedCaller(context);
      const [requests, wrong, ...counted] = await takeLimits(known ? [...byAddress, ...limitsOf(known)] : byAddress, context.atMs);
      demandAddressLimits(requests, wrong);
      if (known) return admitCounted(context, known, counted, target);
      const identified = await admission.identify(context, accepted);
      if (!identified.ok) {
        const given = identified.reason !== 'missing';
        if (given) await countWrongCredentials(context, key);
        throw unauthorized(context, given);
      }
      const { caller } = identified;
      return admitCounted(context, caller, await takeLimits(limitsOf(caller), context.atMs), target);
    },
    /** 429: too many sign-ins and changes of one account (or of the operator), each of which the store has to write. */
    async admitChange(context: RequestContext, owner: string): Promise<void> {
      const limit: Limit = { limiter: 'account', key: `change ${owner}`, rule: CHANGE_RULE };
      const taken = await takeOne(takeLimits, limit, context.atMs);
      demandLeft('changes', CHANGE_RULE, taken, 'Too many sign-ins and changes');
    },
    /** 429: too many test messages of one account. */
    async admitTest(context: RequestContext, accountId: string): Promise<void> {
      const limit: Limit = { limiter: 'account', key: `test message ${accountId}`, rule: TEST_RULE };
      const taken = await takeOne(takeLimits, limit, context.atMs);
      demandLeft('tests', TEST_RULE, taken, 'Too many test messages');
    },
    countWrongCredentials,
    /** The limit of a caller's own credentials, else that of its account. */
    ruleOf,
  };
}

/** 429 where a limit is used up. */
function demandLeft(name: string, rule: LimitRule, taken: Taken, what: string): void {
  if (taken.ok) return;
  const own = { fields: limitField(name, taken), policies: policyField(name, rule) };
  throw rateLimited(`${what}: ${allowedIn(rule)}. Ask again after the time that Retry-After says.`, taken.waitMs, own);
}
