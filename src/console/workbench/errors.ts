/** By the code of an error: what happened, and what to do about it. */
const ERRORS: ReadonlyMap<string, readonly [title: string, advice: string]> = new Map(
  Object.entries({
    INVALID_REQUEST: ['A parameter is not valid', 'Correct the parameter that the message names, and run it again.'],
    UNAUTHORIZED: ['The session has ended', 'Sign in again: the session or its key has ended.'],
    INSUFFICIENT_CREDITS: ['There are not enough credits', 'Ask for fewer results, or ask the operator for more credits.'],
    FORBIDDEN: ['These credentials may not do this', 'Use a key that may: a key can be limited to operations and addresses, see Keys.'],
    NOT_FOUND: ['The platform does not know it', 'The platform itself says so. Check the spelling.'],
    METHOD_NOT_ALLOWED: ['The lookup failed', 'Send the request as GET: a lookup has no other method.'],
    REQUEST_TOO_LARGE: ['The lookup failed', 'Shorten the parameters or the headers.'],
    RATE_LIMITED: ['Too many requests', 'Wait the time that is stated, then run it again.'],
    INTERNAL_ERROR: ['The service has a defect', 'Run it again. If it stays, tell the operator the request id.'],
    NOT_IMPLEMENTED: ['No source yet', 'Nothing is broken: each source below names what switches it on.'],
    UPSTREAM_FAILED: ['The sources did not answer', 'The message says whether to run it again. A kept answer may still serve.'],
    UPSTREAM_UNREACHABLE: ['The source could not be reached', 'Run it again in a while. A kept answer may still serve.'],
    UPSTREAM_TIMEOUT: ['The source took too long', 'Run it again in a while. A kept answer may still serve.'],
    UPSTREAM_BLOCKED: ['The source refused the request', 'The operator can configure another source. A kept answer may still serve.'],
    UPSTREAM_RATE_LIMITED: ['The source asks to wait', 'Wait the time that is stated, then run it again.'],
    UPSTREAM_CHANGED: ['The page of the source has changed', 'Tell the operator the request id: its reader has to be adapted.'],
    OVERLOADED: ['The service is overloaded', 'Run it again in a moment.'],
    UNAVAILABLE: ['The service cannot read its store', 'Run it again in a moment. The operator sees the cause in the log.'],
    NOT_CACHED: ['No fresh answer is kept', 'Remove only-if-cached from Cache-Control to ask the source.'],
    UNREACHABLE: ['The service did not answer', 'Check that the service still runs and that this computer is connected.'],
  }),
);
const OTHER = ['The lookup failed', 'Read the message. If it does not help, tell the operator the request id.'] as const;

/** By area: whose statement a 404 is. */
const NOT_THERE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    shortvideo: 'TikTok says that it is not there',
    microblog: 'X says that it is not there',
    forum: 'Reddit says that it is not there',
    appmarket: 'The Shopify App Store says that it is not there',
    traffic: 'No list of visited sites has it',
    registration: 'No registry has it',
  }),
);

/** `operation`: its area, and its name as people read it. */
export function titleOf(code: string, operation = { area: '', name: 'this' }): string {
  if (code === 'NOT_IMPLEMENTED') return `No source for ${operation.name} yet`;
  return (code === 'NOT_FOUND' ? NOT_THERE.get(operation.area) : undefined) ?? (ERRORS.get(code) ?? OTHER)[0];
}
export const adviceOf = (code: string): string => (ERRORS.get(code) ?? OTHER)[1];
