/** `%41` to `%7e`: what RFC 3986, 2.3 calls unreserved. */
const UNRESERVED = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/**
 * A request target whose path has its unreserved characters decoded (RFC 3986, 6.2.2.2): both spellings name the same resource, so that
 * they reach the same operation. The query stays as it came.
 */
export function normalized(target: string): string {
  if (!target.includes('%')) return target;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return path.replace(UNRESERVED, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))) + target.slice(path.length);
}
