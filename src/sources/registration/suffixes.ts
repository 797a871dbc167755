/** The suffixes of a name from the longest to its top-level domain, the name itself left out. */
export function suffixes(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'));
}
