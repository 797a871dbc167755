import type { Accounts, Authentication, Caller } from '../../accounts/types.ts';
import type { RequestContext } from '../http/request-context.ts';
import { credentialOf } from './credentials.ts';

/** `missing`: the request carries no credentials. */
export type Identified = Authentication | { readonly ok: false; readonly reason: 'missing' };
/** Which credentials an endpoint accepts: API keys and tokens in headers, or the cookie of a console session too. */
export type Accepted = 'header' | 'header or session';
/** Finds out who sent a request. Throws a ServiceError where the request may not use the credentials that it carries. */
export type Identify = (context: RequestContext, accepted: Accepted) => Identified | Promise<Identified>;
/** The caller of a request, as far as it is known without a read of the store; else null. */
export type IdentifyKnown = (context: RequestContext) => Caller | null;

const MISSING: Identified = { ok: false, reason: 'missing' };
const MALFORMED: Identified = { ok: false, reason: 'malformed' };

/** A credential in a header outranks the cookie: a browser sends the cookie by itself. `session`: null where there are no sessions. */
export const createIdentify =
  (authenticate: Accounts['authenticate'], session: ((context: RequestContext) => Identified | Promise<Identified>) | null): Identify =>
  (context, accepted) => {
    const credential = credentialOf(context.request.headers);
    if (credential.kind === 'given') return authenticate(credential.value, context.at);
    if (credential.kind === 'unusable') return MALFORMED;
    return session && accepted === 'header or session' ? session(context) : MISSING;
  };

export const createIdentifyKnown =
  (known: Accounts['known']): IdentifyKnown =>
  (context) => {
    const credential = credentialOf(context.request.headers);
    const authentication = credential.kind === 'given' ? known(credential.value, context.at) : null;
    return authentication?.ok ? authentication.caller : null;
  };
