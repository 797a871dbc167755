import { boundedJson } from './json-limits.ts';

/** One upstream answer: the input of a parser. */
export interface Answer {
  /** HTTP status; 200 for a WHOIS text. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded from its content encoding, not from its charset. */
  readonly body: Uint8Array;
  /** The URL after redirects; `whois://<host>` for a WHOIS text. */
  readonly url: string;
  /** When its last byte came, epoch ms. */
  readonly at: number;
}

/** Result of an upstream request: an answer or a failure. The failures are outcomes, so that a connector can return them. */
export type Reply =
  | { tag: 'answer'; answer: Answer }
  | { tag: 'unreachable'; what: string; detail?: string }
  | { tag: 'timeout'; what: string; detail?: string }
  | { tag: 'limited'; what: string; detail?: string; retryAfterMs: number | null; counts?: false }
  /** A challenge instead of an answer, found by the check that screens the answers of every source. */
  | { tag: 'blocked'; what: string; detail?: string; known?: true }
  | { tag: 'refused'; what: string; detail?: string };

const lenient = new TextDecoder('utf-8');

/** The body as UTF-8 text; invalid bytes become U+FFFD. A byte order mark is removed. */
export const textOf = (answer: Answer): string => lenient.decode(answer.body);
/** The body as JSON; `undefined` if it is not JSON or exceeds the limits of depth and size. */
export const jsonOf = (answer: Answer): unknown => boundedJson(textOf(answer));
