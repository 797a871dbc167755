import { boundedJson } from './json-limits.ts';

/** One recorded answer of the outside: what a parser reads, and nothing else. */
export interface Answer {
  /** HTTP status; 200 for a WHOIS text. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded from its content encoding, not from its charset. */
  readonly body: Uint8Array;
  /** Where it came from in the end; `whois://<host>` for a WHOIS text. */
  readonly url: string;
  /** When its last byte came, epoch ms. */
  readonly at: number;
}

/** What asking the outside gives: an answer, or why there is none. The failures are outcomes, so that a connector can hand them on. */
export type Reply =
  | { tag: 'answer'; answer: Answer }
  | { tag: 'unreachable'; what: string; detail?: string }
  | { tag: 'timeout'; what: string; detail?: string }
  | { tag: 'limited'; what: string; detail?: string; retryAfterMs: number | null; counts?: false }
  /** A challenge in the place of an answer: told by the check that stands before every source. */
  | { tag: 'blocked'; what: string; detail?: string }
  | { tag: 'refused'; what: string; detail?: string };

const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** The body as UTF-8 text; a byte that is none becomes U+FFFD. A byte order mark is dropped. */
export const textOf = (answer: Answer): string => lenient.decode(answer.body);
/** The body as UTF-8 text, or null where it is not UTF-8. */
export function strictTextOf(answer: Answer): string | null {
  try {
    return strict.decode(answer.body);
  } catch {
    return null; // not UTF-8: the caller asks for another charset
  }
}
/** The body as JSON; `undefined` where it is none, or one beyond the limits of depth and size. */
export const jsonOf = (answer: Answer): unknown => boundedJson(textOf(answer));
