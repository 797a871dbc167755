/** The suffixes of a domain from the longest to its top-level domain, without the domain itself. */
export function suffixes(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'));
}
