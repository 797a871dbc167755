/** Schemes that a browser runs or reads itself. */
const REFUSED_SCHEMES = /^(?:https?|javascript|data|blob|file|filesystem|vbscript|about|view-source|wss?|ftp|mailto|chrome|edge):$/;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const MAX_CHARACTERS = 2_000;

/** An http URL of this computer. */
export const isLoopback = (url: URL): boolean => url.protocol === 'http:' && LOOPBACK.has(url.hostname);

/** Why an app may not register this redirect; null: it may. https, http of this computer, or a scheme of an installed app (RFC 8252). */
export function redirectFault(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS || !URL.canParse(text)) return 'is no URL of at most 2,000 characters';
  const url = new URL(text);
  if (text.includes('#')) return 'has a fragment';
  if (url.username || url.password) return 'has a user name';
  if (/[\s\p{Cc}\\]/u.test(text)) return 'has a space or a control character';
  if (url.protocol === 'https:' || isLoopback(url)) return null;
  return REFUSED_SCHEMES.test(url.protocol) ? 'is neither https, nor http of the own computer, nor a scheme of an installed app' : null;
}

/** Whether a redirect is one of those registered: the same text, or on loopback the same but for the port (RFC 8252, 7.3). */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (redirectFault(asked) !== null) return false;
  if (registered.includes(asked)) return true;
  const url = new URL(asked);
  return isLoopback(url) && registered.some((uri) => isLoopback(new URL(uri)) && withoutPort(new URL(uri)) === withoutPort(url));
}
const withoutPort = ({ hostname, pathname, search }: URL): string => hostname + pathname + search;
