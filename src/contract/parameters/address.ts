import { bad, good, type Reader } from './parameter.ts';

/** A video or a post by its id, with the name of its author where the address has it. */
export interface Thing {
  readonly kind: 'thing';
  readonly id: string;
  readonly handle: string | null;
}
/** A resolved platform URL (`thing`), or a short link that must be followed. */
export type Address = Thing | { readonly kind: 'short'; readonly url: string };
export const thing = (id: string, handle: string | null = null): Thing => ({ kind: 'thing', id, handle });

/** An http(s) URL whose host stands alone as it is read: no user, password, port or escapes; null for any other text. */
export function plainUrl(text: string): URL | null {
  const given = text.trim();
  const [, host] = /^https?:\/\/([^/?#]+)/i.exec(given) ?? [];
  const url = host === undefined || /\s/.test(given) ? null : URL.parse(given);
  return url !== null && url.hostname === host?.toLowerCase() ? url : null;
}

/** Readers of the addresses of a platform. `read`: the canonical form, also of addresses that only redirects of the platform have. */
export function addressReaders(
  addressOf: (text: string) => Address | null,
  urlOf: (id: string, handle: string | null) => string,
  must: string,
) {
  const read: Reader<string> = (given) => {
    const address = addressOf(given);
    if (!address) return bad(must);
    return good(address.kind === 'short' ? address.url : urlOf(address.id, address.handle));
  };
  /** Null for short links and other URLs. */
  const partsOf = (url: string): { readonly id: string; readonly handle: string } | null => {
    const address = addressOf(url);
    return address?.kind === 'thing' ? { id: address.id, handle: address.handle ?? '' } : null;
  };
  return { read, partsOf, idOf: (url: string): string | null => partsOf(url)?.id ?? null };
}
