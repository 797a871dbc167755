import type { Parser } from 'htmlparser2';

/** Limits of work per element and per ancestor. Recorded pages of 2015 to 2026 have at most 61 levels and 13,200 elements. */
export const MAX_HTML_DEPTH = 256;
export const MAX_HTML_ELEMENTS = 100_000;

/** Counts the elements of a page during parsing and stops the parser at the first beyond the limits. */
export class Nesting {
  #depth = 0;
  #elements = 0;
  #exceeded = false;
  #parser: Parser | null = null;

  opened(): void {
    if (++this.#depth <= MAX_HTML_DEPTH && ++this.#elements <= MAX_HTML_ELEMENTS) return;
    this.#exceeded = true;
    this.#parser?.pause();
  }
  closed(): void {
    this.#depth--;
  }
  /** Parses the whole page; false if it exceeds the limits, and the result is then incomplete. */
  parse(parser: Parser, html: string): boolean {
    this.#parser = parser;
    parser.write(html);
    if (!this.#exceeded) parser.end();
    return !this.#exceeded;
  }
}
