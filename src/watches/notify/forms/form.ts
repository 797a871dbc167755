import { type Escape, joined, type Message } from '../message.ts';

/** What is sent to a target over HTTP. */
export interface Sent {
  readonly url: string;
  readonly body: string;
}
/** How it went. */
export interface SentResult {
  /** HTTP status, or what went wrong. */
  readonly result: string;
  /** What it answered; null of a private target. */
  readonly said: string | null;
  /** It went into a private network that the operator opens. */
  readonly isPrivate?: boolean;
}
export type Render = (message: Message, url: string) => Sent;
export const json = (url: string, body: unknown): Sent => ({ url, body: JSON.stringify(body) });

/** The message as plain text. */
export const textOf = ({ title, lines, link }: Message, escaped: Escape): string =>
  [joined(title, escaped), ...lines.map((line) => joined(line, escaped)), ...(link === null ? [] : [link])].join('\n');
