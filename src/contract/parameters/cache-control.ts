import { anyCase } from './value-types.ts';

const WITH_SECONDS = ['max-age', 'min-fresh', 'stale-if-error'].map(anyCase).join('|');
const MAX_STALE = anyCase('max-stale');
const SECONDS = '(?:[0-9]+|"(?:\\\\?[0-9])+")';
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z\\-]";
/** Any other directive: a token, optionally with a token or quoted string as argument. */
const OTHER = `(?!(?:${WITH_SECONDS}|${MAX_STALE})(?!${TOKEN}))${TOKEN}+(?:=(?:"(?:[^"\\\\]|\\\\.)*"|${TOKEN}*))?`;
const DIRECTIVE = `(?:(?:${WITH_SECONDS})=${SECONDS}|${MAX_STALE}(?:=${SECONDS})?|${OTHER})`;
const ELEMENT = `[ \\t]*(?:${DIRECTIVE}[ \\t]*)?`;

/**
 * `Cache-Control` of a request, as the service takes it: a list of directives (RFC 9111, 5.2), empty elements allowed. A directive with
 * seconds has digits; unknown directives are ignored.
 */
export const CACHE_CONTROL = `^${ELEMENT}(?:,${ELEMENT})*$`;
