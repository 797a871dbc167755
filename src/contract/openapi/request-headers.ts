import { anyCase } from '../parameters/parameter.ts';
import type { JsonObject } from './schemas.ts';

const WITH_SECONDS = ['max-age', 'min-fresh', 'stale-if-error'].map(anyCase).join('|');
const MAX_STALE = anyCase('max-stale');
const SECONDS = '(?:[0-9]+|"(?:\\\\?[0-9])+")';
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z\\-]";
/** Any other directive: a token, optionally with a token or quoted string as argument. */
const OTHER = `(?!(?:${WITH_SECONDS}|${MAX_STALE})(?!${TOKEN}))${TOKEN}+(?:=(?:"(?:[^"\\\\]|\\\\.)*"|${TOKEN}*))?`;
const DIRECTIVE = `(?:(?:${WITH_SECONDS})=${SECONDS}|${MAX_STALE}(?:=${SECONDS})?|${OTHER})`;
const ELEMENT = `[ \\t]*(?:${DIRECTIVE}[ \\t]*)?`;

/** `Cache-Control` of a request (RFC 9111, 5.2): directives, empty elements allowed; one with seconds has digits, unknown ones are ignored. */
export const CACHE_CONTROL = `^${ELEMENT}(?:,${ELEMENT})*$`;

const header = <const Name extends string>(name: Name, description: string, schema: JsonObject, example: string | number) =>
  ({ name, in: 'header', required: false, description, schema, example }) as const;

/** Request headers that every lookup accepts. */
export const REQUEST_HEADERS = {
  RequestId: header(
    'X-Request-Id',
    'Label of the request, shown in the answer and in the log: 1 to 128 letters, digits, `_`, `.`, `:`, `-`. Another value is replaced by an id of the service. Never an idempotency key.',
    { type: 'string' },
    'order-4711',
  ),
  MaxCredits: header(
    'X-Max-Credits',
    'The most that the answer may cost: a higher price is refused with 402 before any work. An answer from the cache is free.',
    { type: 'integer', minimum: 0, maximum: 999_999_999 },
    5,
  ),
  CacheControl: header(
    'Cache-Control',
    'Freshness (RFC 9111, RFC 5861): `no-cache`, `max-age=N`, `max-stale[=N]`, `min-fresh=N`, `only-if-cached`, `no-store`, `stale-if-error=N`; seconds. Unknown directives are ignored.',
    { type: 'string', pattern: CACHE_CONTROL },
    'max-age=600',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'ETags of kept answers, or `*`: the answer is 304 if one still matches. The `no-cache` that fetch() adds to such a request causes no new lookup; `max-age=0` does.',
    { type: 'string' },
    'W/"5p1oU0mJ2kq1"',
  ),
};
