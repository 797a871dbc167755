import type { AppReviewPage, CategoryDetail, DeveloperProfile } from '../../../contract/operations/appmarket.ts';
import type { Input } from '../../../contract/operations/index.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { changed, found, type Outcome, refused, timeout } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Attempt, Ports } from '../../source.ts';
import { type Client, clientOf } from './client.ts';
import type { DeveloperPage } from './developer.ts';
import { fillDevelopers } from './developer-names.ts';
import { readWithFrame } from './fetch-page.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** More than any known developer has; ends a pagination that always names a next page. */
const MAX_DEVELOPER_PAGES = 50;

const query = (pairs: Readonly<Record<string, string | number | null>>): string => {
  const given = Object.entries(pairs).flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, String(value)]]));
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
};
const beyondFirst = (page: number): number | null => (page > 1 ? page : null);

/** All pages of a developer. A failed or missing page fails the lookup, so that no incomplete list is returned. */
async function developer(ports: Ports, client: Client, handle: string, attempt: Attempt): Promise<Outcome<DeveloperProfile>> {
  const apps = new Map<string, DeveloperProfile['apps'][number]>();
  let name: string | null = null;
  let announced: number | null = null;
  const unread: string[] = [];
  for (let page = 1; page <= MAX_DEVELOPER_PAGES; page++) {
    if (page > 1 && ports.clock.now() + client.everyMs >= attempt.deadlineMs)
      return timeout('The developer has more apps than could be fetched in time.', `${apps.size} apps after ${page - 1} pages`);
    const request = { path: `/partners/${handle}${query({ page: beyondFirst(page) })}` };
    const outcome: Outcome<DeveloperPage> = await readWithFrame(client, request, page, attempt, ports, (answer) =>
      parse(ports, parser('readDeveloperPage'), answer, { handle, page }, attempt),
    );
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
async function category(
  ports: Ports,
  client: Client,
  { handle, page }: Input<'appstore-category'>,
  attempt: Attempt,
): Promise<Outcome<CategoryDetail>> {
  const read = (answer: Answer) => parse(ports, parser('readCategory'), answer, { handle, page }, attempt);
  const list = await readWithFrame(
    client,
    { path: `/categories/${handle}/all${query({ page: beyondFirst(page) })}` },
    page,
    attempt,
    ports,
    read,
  );
  if (list.tag !== 'absent') return list;
  const landing = await readWithFrame(client, { path: `/categories/${handle}` }, 1, attempt, ports, read);
  if (landing.tag !== 'found' || landing.resource.level !== 'tertiary') return landing;
  if (page === 1) return changed('The list of the category could not be found.', `${handle} is a leaf category without a list`);
  // a page past the end of the list
  const resource = { ...landing.resource, apps: [], pagination: { hasNextPage: false, totalPages: null, currentPage: page } };
  return { ...landing, resource };
}

function reviews(ports: Ports, client: Client, input: Input<'app-reviews'>, attempt: Attempt): Promise<Outcome<AppReviewPage>> {
  const path = `/${input.handle}/reviews${query({ sort_by: input.sort === 'relevance' ? null : input.sort, page: beyondFirst(input.page) })}`;
  return readWithFrame(client, { path }, input.page, attempt, ports, (answer) =>
    parse(ports, parser('readReviews'), answer, input, attempt),
  );
}

export function openAppmarketPage(ports: Ports): Asks {
  const client = clientOf(ports);
  return {
    app: (input, attempt) =>
      readWithFrame(client, { path: `/${input.handle}` }, 1, attempt, ports, (answer) =>
        parse(ports, parser('readApp'), answer, input, attempt),
      ),
    'app-reviews': (input, attempt) => reviews(ports, client, input, attempt),
    'appstore-reviews': (input, attempt) => reviews(ports, client, input, attempt),
    'app-developer': ({ handle }, attempt) => developer(ports, client, handle, attempt),
    'appstore-category': (input, attempt) => category(ports, client, input, attempt),
  };
}

export function openAppmarketSearch(ports: Ports): Asks {
  const client = clientOf(ports);
  const nameOf = fillDevelopers(ports, client);
  return {
    async 'app-keywords'(input, attempt) {
      const request = { path: `/search${query({ q: input.keyword, page: beyondFirst(input.page) })}`, allowed: true } as const;
      const outcome = await readWithFrame(client, request, input.page, attempt, ports, (answer) =>
        parse(ports, parser('readSearch'), answer, input, attempt),
      );
      return outcome.tag === 'found' && ports.settings.SIGHTLINE_APPMARKET_SEARCH_DEVELOPERS ? nameOf(outcome, attempt) : outcome;
    },
  };
}
