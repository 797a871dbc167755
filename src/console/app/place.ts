import { computed, signal } from '@preact/signals';

/** What the address says. The address is the only state of the console: pages read it here and change it here. */
export interface Place {
  /** Path without the account that an operator works as: `/console/usage`. */
  readonly path: string;
  /** The account that an operator works as, of `/console/as/{accountId}/…`. */
  readonly account: string | null;
  /** Parameters have the API's names; the console's own begin with `_`. */
  readonly query: URLSearchParams;
  /** Identifies the entry of the browser's history: what belongs to it is in memory under this. */
  readonly entry: string;
}

interface EntryState {
  readonly entry: string;
  readonly scrollY?: number;
}

const AS = /^\/console\/as\/([^/]+)(\/.*)?$/;
const WRITE_AFTER_MS = 200;

let entries = 0;
const newEntry = (): string => `${Date.now()}-${entries++}`;
const entryState = (): EntryState | null => history.state as EntryState | null;

function placeOf(url: URL, entry: string): Place {
  const [, account = null, rest] = AS.exec(url.pathname) ?? [];
  const path = (account === null ? url.pathname : `/console${rest ?? ''}`).replace(/(.)\/$/, '$1');
  return { path, account: account && decodeURIComponent(account), query: url.searchParams, entry };
}

/** Where the console is. Written by `go`, `setQuery` and the browser's own buttons. */
export const place = signal<Place>(placeOf(new URL(location.href), entryState()?.entry ?? newEntry()));
/** The path alone: components that read it are not drawn again for a change of the query. */
export const path = computed(() => place.value.path);

/** The address of a page: below the account that an operator works as. */
export const pageAt = (to: string, account = place.value.account): string =>
  account === null ? to : to.replace(/^\/console/, `/console/as/${encodeURIComponent(account)}`);

export function addressOf({ path: to, account, query }: Pick<Place, 'path' | 'account' | 'query'>): string {
  const text = query.toString();
  return pageAt(to, account) + (text ? `?${text}` : '');
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** Writes the address of the place; browsers limit how often that is done. */
function write(): void {
  clearTimeout(timer);
  timer = undefined;
  history.replaceState({ ...entryState(), entry: place.value.entry }, '', addressOf(place.value) + location.hash);
}

type AskFirst = (act: () => void) => boolean;
let askFirst: AskFirst | null = null;
/** Asked before the page is left; true: it is not left now, and `act` leaves it later. Returns what ends that. */
export function hold(asks: AskFirst): () => void {
  askFirst = asks;
  return () => {
    if (askFirst === asks) askFirst = null;
  };
}
const isElsewhere = (to: Place): boolean => to.path !== place.value.path || to.account !== place.value.account;

export function go(to: string, { replace = false } = {}): void {
  if (timer !== undefined) write();
  const next = placeOf(new URL(to, location.href), replace ? place.value.entry : newEntry());
  const moved = isElsewhere(next);
  if (moved && askFirst?.(() => go(to, { replace }))) return;
  if (!replace) {
    history.replaceState({ ...entryState(), scrollY }, '');
    history.pushState({ entry: next.entry }, '', addressOf(next));
  }
  place.value = next;
  if (replace) write();
  if (!moved) return;
  scrollTo(0, 0);
  // screen readers read the new page from its beginning
  requestAnimationFrame(() => {
    const main = document.getElementById('main');
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
  });
}

/** Changes parameters of the address in place, or as an entry of the history; null or '' takes one away. */
export function setQuery(changes: Readonly<Record<string, string | null>>, { isEntry = false } = {}): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) value ? query.set(name, value) : query.delete(name);
  if (query.toString() === place.value.query.toString()) return;
  if (isEntry) {
    go(addressOf({ ...place.value, query }));
    return;
  }
  place.value = { ...place.value, query };
  clearTimeout(timer);
  timer = setTimeout(write, WRITE_AFTER_MS);
}

/** The values of a pattern such as `/console/requests/:requestId`; null where the path is another. */
export function match(pattern: string, to: string): Readonly<Record<string, string>> | null {
  const found = new RegExp(`^${pattern.replace(/:(\w+)/g, '(?<$1>[^/]*)')}$`).exec(to);
  return found && Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]));
}

/** Queries of entries that were left before their address was written: only the entry that is shown can be written. */
const unwritten = new Map<string, URLSearchParams>();

/** Follows links of the console without loading the page, and the browser's own buttons. */
export function startNavigation(): void {
  history.scrollRestoration = 'manual';
  write();
  addEventListener('pagehide', () => {
    if (timer !== undefined) write();
    history.replaceState({ ...entryState(), scrollY }, '');
  });
  addEventListener('popstate', () => {
    if (timer !== undefined) unwritten.set(place.value.entry, place.value.query);
    clearTimeout(timer);
    timer = undefined;
    const { entry = newEntry(), scrollY: wanted = 0 } = entryState() ?? {};
    const found = placeOf(new URL(location.href), entry);
    if (isElsewhere(found) && askFirst?.(() => history.back())) {
      history.pushState({ entry: place.value.entry }, '', addressOf(place.value));
      return;
    }
    const query = unwritten.get(entry);
    place.value = query ? { ...found, query } : found;
    if (query) write();
    unwritten.delete(entry);
    // the page is drawn in the next frame
    requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, wanted)));
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link?.href || link.target || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !/^\/console(\/|$)/.test(url.pathname) || url.hash) return;
    event.preventDefault();
    go(url.href);
  });
}
