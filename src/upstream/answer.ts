import { isAscii } from 'node:buffer';

/** One upstream answer: the input of a parser. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded from its content encoding, not from its charset. */
  readonly body: Uint8Array;
  /** Set while the body is still in its content encoding (`decodedByParser`): the limit of the decoded body. */
  readonly encoded?: { readonly maxBytes: number };
  /** The URL after redirects; `whois://<host>` for a WHOIS text. */
  readonly url: string;
  /** When its last byte came, epoch ms. */
  readonly atMs: number;
}

/** Result of an upstream request. The failures are outcomes, so that a connector can return them. */
export type Reply = { tag: 'answer'; answer: Answer } | Failure;
export type Failure =
  | { tag: 'unreachable'; what: string; detail?: string }
  | { tag: 'timeout'; what: string; detail?: string }
  | { tag: 'limited'; what: string; detail?: string; retryAfterMs: number | null; counts?: false }
  /** A challenge instead of an answer, found by the check that screens the answers of every source. */
  | { tag: 'blocked'; what: string; detail?: string; known?: true }
  /** More than is read of an answer: the same again, however often it is asked for. */
  | { tag: 'changed'; what: string; detail?: string }
  | { tag: 'refused'; what: string; detail?: string };

const lenient = new TextDecoder('utf-8');

/** The body as UTF-8 text; invalid bytes become U+FFFD. A byte order mark is removed. */
export function bodyText({ body }: Answer): string {
  // the decoder takes twice as long
  return isAscii(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1') : lenient.decode(body);
}
/** The body as JSON; `undefined` if it is not JSON or exceeds the limits of depth and size. */
export const jsonOf = (answer: Answer): unknown => boundedJson(bodyText(answer));

/** For the stack and the memory. Recorded answers of 2015 to 2026 have at most 60 levels and 45,000 values. */
export const MAX_JSON_DEPTH = 1_000;
export const MAX_JSON_VALUES = 1_000_000;

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 44, 91, 93, 123, 125];

/** Index of the quote that ends the string whose first character is at `from`; the length of the text if it does not end. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - slashes > from && text.charCodeAt(end - slashes - 1) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** How many lists or objects begin in a text, strings included and empty ones left out: counted up to `most`. */
function countBegun(open: '[' | '{', text: string, most: number): number {
  const close = open === '[' ? CLOSE_LIST : CLOSE_OBJECT;
  let count = 0;
  for (let offset = text.indexOf(open); offset >= 0 && count < most; offset = text.indexOf(open, offset + 1))
    if (text.charCodeAt(offset + 1) !== close) count++;
  return count;
}

/** Whether a text has more levels or values (members and elements) than allowed, without parsing it. */
export function exceedsJsonLimits(text: string, maxDepth = MAX_JSON_DEPTH, maxValues = MAX_JSON_VALUES): boolean {
  // most texts are too short for so many values, and have too few brackets for so many levels
  if (text.length <= maxValues && countBegun('[', text, maxDepth) + countBegun('{', text, maxDepth) < maxDepth) return false;
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = endOfString(text, i + 1);
    else if (c === COMMA) values++;
    else if (c === OPEN_LIST || c === OPEN_OBJECT) {
      if (text.charCodeAt(i + 1) !== (c === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT)) values++; // an empty one has none
      if (++depth > maxDepth) return true;
    } else if (c === CLOSE_LIST || c === CLOSE_OBJECT) depth--;
  }
  return values > maxValues;
}

/** A WHOIS text may begin with a bracket, too. */
const BEGINS_JSON = /^\s*(?:\{\s*(?:"|$)|\[\s*(?:[[{"\d-]|$))/;
/** Whether a body is the beginning of a JSON text: it ends within a list or an object. */
export function isCutJson(answer: Answer): boolean {
  const text = bodyText(answer);
  if (!BEGINS_JSON.test(text) || exceedsJsonLimits(text)) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) i = endOfString(text, i + 1);
    else if (c === OPEN_LIST || c === OPEN_OBJECT) depth++;
    else if (c === CLOSE_LIST || c === CLOSE_OBJECT) depth--;
  }
  return depth > 0;
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** Parses an upstream document; undefined if the text is not JSON or exceeds the limits. */
export function boundedJson(text: string, reviver?: Reviver): unknown {
  if (exceedsJsonLimits(text)) return undefined;
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined; // not JSON: the caller distinguishes a block page from an unknown shape
  }
}
