const MOST_SHOWN = 80;
const LAST_CHARACTERS = 4;
const isLong = (part: string): boolean => part.length > 2 * LAST_CHARACTERS;
const shortened = (part: string): string => `…${part.slice(-LAST_CHARACTERS)}`;
/** As URL parsers read it: blanks before it are dropped, and one slash or backslash is enough. */
const SCHEME = /^\s*[a-z][a-z0-9+.-]*:[/\\]/i;
const PLAIN = /^[a-z][a-z0-9+.-]*:\/\/[^/\\]/i;

/**
 * What may be shown of an address to send messages to: its path and query may be a secret. Scheme and host, and of what follows, where it is long, the
 * last four characters; a mail address whole.
 */
export function shownAddress(text: string): string {
  if (/^mailto:/i.test(text)) return text;
  const address = PLAIN.test(text) || !URL.canParse(text) ? text : new URL(text).href;
  const [, authority = '', rest = ''] = /^((?:[a-z][a-z0-9+.-]*:\/\/)?[^/?#\\]*)(.*)$/is.exec(address) ?? [];
  const host = authority.replace(/(?<=:\/\/).*@/s, '');
  return rest.length <= 1 ? host + rest : `${host}/${isLong(rest) ? shortened(rest) : '…'}`;
}

/** What an address was answered with: long parts of its path and query, which may be a secret, as `…` and their last characters. */
export function withoutSecrets(text: string, address: string): string {
  if (!URL.canParse(address)) return text;
  const { pathname, search, searchParams } = new URL(address);
  const written = [...pathname.split('/'), ...search.split(/[?&=]/)];
  // as a query each is read, too
  const read = written.flatMap((part) => [...new URLSearchParams(`=${part.replaceAll('+', '%2B')}`).values()]);
  const parts = new Set([...written, ...read, ...searchParams.values()].filter(isLong));
  // one may hold another
  return [...parts].sort((a, b) => b.length - a.length).reduce((shown, part) => shown.replaceAll(part, () => shortened(part)), text);
}

/** A value of a body in a message, as JSON of at most 80 characters: messages of errors are stored, and addresses in them are shortened. */
export function shownValue(value: unknown): string {
  const text =
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' && SCHEME.test(one) ? shownAddress(one) : one)) ?? 'missing';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}
