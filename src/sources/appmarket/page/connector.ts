import { LRUCache } from 'lru-cache';
import type { AppKeywordRanking, CategoryDetail, DeveloperProfile } from '../../../contract/operations/appmarket.ts';
import type { Input } from '../../../contract/operations/index.ts';
import { atMost } from '../../../runtime/lru.ts';
import { changed, type Found, found, type Outcome, refused, timeout } from '../../outcome.ts';
import { parsersIn } from '../../parsers.ts';
import type { Asks, Attempt, Ports } from '../../source.ts';
import { type Client, clientOf } from './client.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** More than any known developer has; ends a pagination that always names a next page. */
const MAX_DEVELOPER_PAGES = 50;
const DAY_MS = 24 * 3_600_000;

function requestOf(path: string, page: number, parameters: Readonly<Record<string, string>> = {}) {
  const query = new URLSearchParams({ ...parameters, ...(page > 1 && { page: String(page) }) }).toString();
  return { path: query === '' ? path : `${path}?${query}`, page };
}

export function open(ports: Ports): Asks {
  const client = clientOf(ports);
  const withDevelopers = developersOf(ports, client);
  const reviews = (input: { handle: string; page: number; sort: string }, attempt: Attempt) => {
    const sort: Record<string, string> = input.sort === 'relevance' ? {} : { sort_by: input.sort };
    return client.read(requestOf(`/${input.handle}/reviews`, input.page, sort), parser('readReviews'), input, attempt);
  };
  return {
    app: (input, attempt) => client.read({ path: `/${input.handle}` }, parser('readApp'), input, attempt),
    'app-reviews': reviews,
    'appstore-reviews': reviews,
    'app-developer': ({ handle }, attempt) => developer(ports, client, handle, attempt),
    'appstore-category': (input, attempt) => category(client, input, attempt),
    async 'app-keywords'(input, attempt) {
      const request = { ...requestOf('/search', input.page, { q: input.keyword }), allowed: true } as const;
      const outcome = await client.read(request, parser('readSearch'), input, attempt);
      return outcome.tag === 'found' && ports.settings.SIGHTLINE_APPMARKET_SEARCH_DEVELOPERS ? withDevelopers(outcome, attempt) : outcome;
    },
  };
}

/** All pages of a developer. A failed or missing page fails the lookup, so that no incomplete list is returned. */
async function developer(ports: Ports, client: Client, handle: string, attempt: Attempt): Promise<Outcome<DeveloperProfile>> {
  const apps = new Map<string, DeveloperProfile['apps'][number]>();
  let name: string | null = null;
  let announced: number | null = null;
  const unread: string[] = [];
  for (let page = 1; page <= MAX_DEVELOPER_PAGES; page++) {
    if (page > 1 && ports.clock.now() + client.everyMs >= attempt.deadlineMs)
      return timeout('The developer has more apps than could be fetched in time.', `${apps.size} apps after ${page - 1} pages`);
    const outcome = await client.read(requestOf(`/partners/${handle}`, page), parser('readDeveloperPage'), { handle, page }, attempt);
    if (outcome.tag !== 'found') return page > 1 && outcome.tag === 'absent' ? incomplete(`page ${page} is missing`) : outcome;
    const { profile, pagination } = outcome.resource;
    const before = apps.size;
    unread.push(...(outcome.unread ?? []));
    for (const app of profile.apps) apps.set(app.handle ?? `${page} ${apps.size}`, app);
    name ??= profile.name;
    announced ??= outcome.resource.announced;
    if (!pagination.hasNextPage) {
      if (announced !== null && apps.size < announced) return incomplete(`${apps.size} of ${announced} apps`);
      return found({ name, apps: [...apps.values()] }, undefined, unread);
    }
    if (apps.size === before) return incomplete(`page ${page} names a next page but adds no app`);
  }
  return refused('The developer has more apps than one lookup fetches.', `more than ${MAX_DEVELOPER_PAGES} pages`);
}
const incomplete = (detail: string) => changed('The list of the apps of the developer is incomplete.', detail);

/** A leaf category has a list; topics and intermediate categories have a landing page only. */
async function category(client: Client, input: Input<'appstore-category'>, attempt: Attempt): Promise<Outcome<CategoryDetail>> {
  const { handle, page } = input;
  const path = `/categories/${handle}`;
  const list = await client.read(requestOf(`${path}/all`, page), parser('readCategory'), input, attempt);
  if (list.tag !== 'absent') return list;
  const landing = await client.read({ path }, parser('readCategory'), input, attempt);
  if (landing.tag !== 'found' || landing.resource.level !== 'tertiary') return landing;
  if (page === 1) return changed('The list of the category could not be found.', `${handle} is a leaf category without a list`);
  // a page past the end of the list
  const pagination = { hasNextPage: false, totalPages: null, currentPage: page };
  return { ...landing, resource: { ...landing.resource, apps: [], pagination } };
}

/** Adds the developer of each app, a request each. Names are cached for a day, so that the next lookup continues one that timed out. */
function developersOf({ clock }: Ports, client: Client) {
  const known = new LRUCache<string, { name: string | null }>({ ...atMost(10_000), ttl: DAY_MS, ttlResolution: 0, perf: clock });
  return async ({ resource: ranking, unread }: Found<AppKeywordRanking>, attempt: Attempt): Promise<Outcome<AppKeywordRanking>> => {
    const apps: AppKeywordRanking['apps'] = [];
    for (const app of ranking.apps) {
      const { handle } = app;
      let developer = handle === null ? { name: null } : known.get(handle);
      if (!developer && handle !== null) {
        if (clock.now() + client.everyMs >= attempt.deadlineMs)
          return timeout(
            'The developers of the ranked apps could not all be fetched in time.',
            'raise SIGHTLINE_DEADLINE_MS or repeat the lookup',
          );
        const outcome = await client.read({ path: `/${handle}` }, parser('readApp'), { handle }, attempt);
        if (outcome.tag !== 'found' && outcome.tag !== 'absent') return outcome;
        developer = { name: outcome.tag === 'found' ? outcome.resource.developer.name : null };
        known.set(handle, developer);
      }
      apps.push({ ...app, developer: developer?.name ?? null });
    }
    return found({ ...ranking, apps }, undefined, unread);
  };
}
