import type { Answer, Reply } from './answer.ts';

/** One request as it was sent; a redirect that is followed makes another one. */
export interface SentRequest {
  /** Epoch ms. */
  readonly at: number;
  /** `WHOIS` for a WHOIS query. */
  readonly method: string;
  /** `whois://<host>` for a WHOIS query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The WHOIS query, without CRLF; null: no body. */
  readonly body: string | null;
  /** Null: no whole answer came. */
  readonly answer: Answer | null;
}

/** What an attempt asked of an upstream, and the reply that its connector got. */
export interface Exchange {
  /** As the connector asked it. */
  readonly asked: Pick<SentRequest, 'method' | 'url' | 'body'>;
  /** Oldest first; none where the request was refused or not its turn. */
  readonly sent: readonly SentRequest[];
  readonly reply: Reply;
  /** The answer is kept for other attempts too (robots.txt, the RDAP bootstrap). */
  readonly shared: boolean;
  /** Values of the request that nothing may keep. */
  readonly secrets: readonly string[];
}

/** Receives the exchanges of an attempt as they end. */
export type RecordExchange = (exchange: Exchange) => void;
