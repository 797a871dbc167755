/** Percent-encodings of unreserved characters (RFC 3986, 2.3). */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/**
 * Decodes unreserved characters in the path of a request target (RFC 3986, 6.2.2.2): equivalent spellings reach the same route. The query
 * is unchanged.
 */
export function normalized(target: string): string {
  if (!target.includes('%')) return target;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return path.replace(UNRESERVED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))) + target.slice(path.length);
}
