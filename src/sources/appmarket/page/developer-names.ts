import { LRUCache } from 'lru-cache';
import type { AppKeywordRanking } from '../../../contract/operations/appmarket.ts';
import { type Found, found, type Outcome, timeout } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Attempt, Ports } from '../../source.ts';
import type { Client } from './client.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

const CACHED_APPS = 10_000;
const CACHED_FOR_MS = 24 * 3_600_000;

/**
 * Adds the developer of each ranked app, which the cards of a ranking do not name, with one request per app. Names are cached for a day, so
 * that the next lookup continues one that timed out. Fails if one name is missing.
 */
export function fillDevelopers(ports: Ports, client: Client) {
  const known = new LRUCache<string, { name: string | null; at: number }>({ max: CACHED_APPS });
  const cached = (handle: string) => {
    const entry = known.get(handle);
    return entry && entry.at + CACHED_FOR_MS > ports.clock.now() ? entry : undefined;
  };
  return async ({ resource: ranking, unread }: Found<AppKeywordRanking>, attempt: Attempt): Promise<Outcome<AppKeywordRanking>> => {
    const handles = new Set(ranking.apps.flatMap(({ handle }) => handle ?? []));
    for (const handle of handles) {
      if (cached(handle)) continue;
      if (ports.clock.now() + client.everyMs >= attempt.deadlineMs)
        return timeout(
          'The developers of the ranked apps could not all be fetched in time.',
          'raise SIGHTLINE_DEADLINE_MS or repeat the lookup',
        );
      const reply = await client.ask({ path: `/${handle}` }, attempt);
      const outcome = reply.tag === 'answer' ? await parse(ports, parser('readApp'), reply.answer, { handle }, attempt) : reply;
      if (outcome.tag !== 'found' && outcome.tag !== 'absent') return outcome;
      known.set(handle, { name: outcome.tag === 'found' ? outcome.resource.developer.name : null, at: ports.clock.now() });
    }
    const apps = ranking.apps.map((app) => ({ ...app, developer: (app.handle && cached(app.handle)?.name) || null }));
    return found({ ...ranking, apps }, undefined, unread);
  };
}
