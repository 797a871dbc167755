import { bad, good, type Read } from '../../contract/parameters/value-types.ts';

const decode = (text: string): string => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
};

/**
 * The name-value pairs of a query string, in order, with repeated names (`readInput` refuses them). `+` is a space, as in forms. An invalid
 * percent-encoding, or one that is not UTF-8, is an error.
 */
export function readQuery(url: string): Read<readonly (readonly [string, string])[]> {
  const mark = url.indexOf('?');
  if (mark < 0 || mark === url.length - 1) return good([]);
  const hash = url.indexOf('#', mark);
  const pairs: (readonly [string, string])[] = [];
  for (const piece of url.slice(mark + 1, hash < 0 ? undefined : hash).split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    try {
      pairs.push(equals < 0 ? [decode(piece), ''] : [decode(piece.slice(0, equals)), decode(piece.slice(equals + 1))]);
    } catch {
      return bad('The query holds a percent-encoding that is broken or not UTF-8: encode the value anew.');
    }
  }
  return good(pairs);
}
