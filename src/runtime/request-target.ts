/** Path and query of a request target (RFC 9112, 3.2), at its first `?`: a query may hold further ones. A fragment is no part of either. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const [whole = ''] = target.split('#', 1);
  const mark = whole.indexOf('?');
  return mark < 0 ? { path: whole, query: '' } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}

/** The pairs of a query, in order and with repeated names; `+` is a space. The constructor would drop a `?` at its beginning. */
export const queryPairs = (query: string): readonly (readonly [string, string])[] => [...new URLSearchParams(`?${query}`)];
