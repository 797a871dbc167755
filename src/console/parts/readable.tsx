import { signal } from '@preact/signals';

/** Fetched with the first name in the form of the wire that is shown: most pages have none. */
const reader = signal<((text: string) => string) | null>(null);

function readable(text: string): string {
  if (!/xn--/i.test(text)) return text;
  // where it cannot be fetched the form of the wire stays
  if (reader.value === null) import('./readable-domain.ts').then(({ readableIn }) => (reader.value = readableIn)).catch(() => undefined);
  return reader.value?.(text) ?? text;
}

/** A text that may hold domains: in Unicode, with the form of the wire in its title. */
export function Readable({ text }: { readonly text: string }) {
  const shown = readable(text);
  return <>{shown === text ? text : <span title={text} children={shown} />}</>;
}
