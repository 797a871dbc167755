/** What to do about an error, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  INVALID_REQUEST: 'Correct the parameter that the message names, and run it again.',
  UNAUTHORIZED: 'Sign in again: the session or its key has ended.',
  INSUFFICIENT_CREDITS: 'Ask for fewer results, raise X-Max-Credits, or ask the operator of this service for more credits.',
  FORBIDDEN: 'Use a key that may do this: a key can be limited to operations and addresses, see Keys.',
  NOT_FOUND: 'Check the spelling. The platform itself says that there is no such thing.',
  METHOD_NOT_ALLOWED: 'Send the request as GET: a lookup has no other method.',
  REQUEST_TOO_LARGE: 'Shorten the parameters or the headers.',
  RATE_LIMITED: 'Wait the time that is stated, then run it again.',
  INTERNAL_ERROR: 'Run it again. If it stays, tell the operator the request id.',
  NOT_IMPLEMENTED: 'The operator has to configure a source: the message names the settings.',
  UPSTREAM_FAILED: 'The message says whether to run it again. A stored answer may still serve: add Cache-Control: stale-if-error=86400.',
  UPSTREAM_UNREACHABLE: 'Run it again in a while. A stored answer may still serve: add Cache-Control: stale-if-error=86400.',
  UPSTREAM_TIMEOUT: 'Run it again in a while. A stored answer may still serve: add Cache-Control: stale-if-error=86400.',
  UPSTREAM_BLOCKED:
    'The source refuses this service. The operator can configure another source. A stored answer may still serve: add Cache-Control: stale-if-error=86400.',
  UPSTREAM_RATE_LIMITED: 'Wait the time that is stated, then run it again.',
  UPSTREAM_CHANGED: 'Tell the operator the request id: the page has changed and its reader has to be adapted.',
  OVERLOADED: 'Run it again in a moment.',
  UNAVAILABLE: 'Run it again in a moment. The operator sees the cause in the log.',
  NOT_CACHED: 'Remove only-if-cached from Cache-Control to ask the source.',
  UNREACHABLE: 'Check that the service still runs and that this computer is connected.',
};

/** Always something to do, for codes to come too. */
export const adviceOf = (code: string): string =>
  ADVICE[code] ?? 'Read the message. If it does not help, tell the operator the request id.';
