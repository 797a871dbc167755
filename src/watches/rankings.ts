import { writeAudit } from '../accounts/admin/audit.ts';
import { lookupsOf } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import type { AccountInput } from '../contract/account/endpoints.ts';
import { type AccountSites, MOST_RIVALS, type Rankings } from '../contract/account/ranking-schemas.ts';
import { invalid } from '../contract/errors.ts';
import { isObject } from '../contract/json-object.ts';
import { OPERATIONS } from '../contract/operations/index.ts';
import { readDomain } from '../contract/parameters/domain-name.ts';
import { DAY_MS, dayOf, instant } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { type Places, placesOf } from './places.ts';
import type { ScheduleParts } from './schedule.ts';
import { actorOfCaller } from './watch-audit.ts';

const isOf = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);
/** The best place of a site among the hosts of a ranking. */
function placeOf({ hosts }: Places, site: string): number | null {
  let best: number | null = null;
  for (const [host, rank] of hosts) if ((best === null || rank < best) && isOf(host, site)) best = rank;
  return best;
}

/** What a place is worth: 1 / place to place 20, else nothing. */
const LAST_PLACE = 20;
export const weightOf = (place: number | null): number => (place !== null && place <= LAST_PLACE ? 1 / place : 0);

/** Reads the body of `PUT /v1/account/sites`. Throws INVALID_REQUEST. */
export function readSites(body: unknown): AccountSites {
  if (!isObject(body)) throw invalid('The body must be {"own": "example.com", "rivals": ["example.org"]}.');
  const stray = Object.keys(body).find((name) => name !== 'own' && name !== 'rivals');
  if (stray !== undefined) throw invalid(`Field ${stray} is not known: use own, rivals.`);
  const site = (value: unknown, name: string): string => {
    const read =
      typeof value === 'string' ? readDomain({ privateRegistries: true })(value) : ({ ok: false, why: 'must be a domain' } as const);
    if (!read.ok) throw invalid(`Field ${name} is ${JSON.stringify(value) ?? 'missing'}, but it ${read.why}, such as example.com.`);
    return read.value;
  };
  const { own = null, rivals = [] } = body;
  if (!Array.isArray(rivals) || rivals.length > MOST_RIVALS)
    throw invalid(`Field rivals is ${JSON.stringify(rivals).slice(0, 80)}, but it must be a list of at most ${MOST_RIVALS} domains.`);
  const sites = { own: own === null ? null : site(own, 'own'), rivals: rivals.map((one: unknown, i) => site(one, `rivals/${i}`)) };
  const all = [sites.own, ...sites.rivals];
  const twice = all.find((one, i) => one !== null && all.indexOf(one) !== i);
  if (twice) throw invalid(`Field rivals names ${twice} twice: name each site once.`);
  return sites;
}

export type RankingsQuery = Omit<AccountInput<'account-rankings'>, 'rest' | 'format' | 'from' | 'to'> & {
  readonly from: string;
  readonly to: string;
};

/** Sites of an account, and their places in the stored checks of its watches. */
export function createRankings({ store, now }: Pick<ScheduleParts, 'store' | 'now'>) {
  const { db } = store;
  async function sitesOf(accountId: string): Promise<AccountSites> {
    const row = await db.selectFrom('account_sites').selectAll().where('account_id', '=', accountId).executeTakeFirst();
    return { own: row?.own ?? null, rivals: row ? (JSON.parse(row.rivals) as string[]) : [] };
  }
  return {
    sites: (caller: Caller): Promise<AccountSites> => sitesOf(caller.accountId),

    async setSites(caller: Caller, body: unknown): Promise<AccountSites> {
      const { own, rivals } = readSites(body);
      const setAt = await now();
      const values = { own, rivals: JSON.stringify(rivals), set_at: setAt };
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('account_sites')
          .values({ account_id: caller.accountId, ...values })
          .onConflict((c) => c.column('account_id').doUpdateSet(values))
          .execute();
        await writeAudit(trx, setAt, {
          actor: actorOfCaller(caller),
          action: 'sites.set',
          subject: caller.accountId,
          facts: { own, rivals },
        });
      });
      return { own, rivals };
    },

    async rankings(caller: Caller, { from, to, location, device, engine, tag }: RankingsQuery): Promise<Rankings> {
      const { own, rivals } = await sitesOf(caller.accountId);
      const sites = own === null ? rivals : [own, ...rivals];
      const maySee = lookupsOf(caller)?.includes('serp') ?? true;
      const watches = maySee
        ? await db
            .selectFrom('watches')
            .selectAll()
            .where('account_id', '=', caller.accountId)
            .where('operation', '=', 'serp')
            .orderBy('n')
            .execute()
        : [];
      const asked = watches.flatMap((watch) => {
        const input = OPERATIONS.serp.readInput(Object.entries(JSON.parse(watch.parameters) as Record<string, string>));
        if (!input.ok) return [];
        const tags = watch.tags === null ? [] : (JSON.parse(watch.tags) as string[]);
        const { value } = input;
        const isAsked =
          (location === undefined || value.location === location) &&
          (device === undefined || value.device === device) &&
          (engine === undefined || value.engine === engine) &&
          (tag === undefined || tags.includes(tag));
        return isAsked ? [{ watch, input: value, tags }] : [];
      });
      const [fromMs, untilMs] = [Date.parse(from), Date.parse(to) + DAY_MS];
      const answers = await answersOf(
        db,
        asked.map(({ watch }) => watch.n),
        fromMs,
        untilMs,
      );
      const weights = new Map<string, { keywords: number; readonly sums: number[] }>();
      const keywords = asked.map(({ watch, input, tags }): Rankings['keywords'][number] => {
        const days = [...(answers.get(watch.n) ?? [])].map(([day, answer]) => ({
          day,
          answer,
          places: sites.map((site) => placeOf(answer.places, site)),
        }));
        for (const { day, places } of days) {
          const sum = weights.get(day) ?? { keywords: 0, sums: sites.map(() => 0) };
          sum.keywords++;
          for (const [i, place] of places.entries()) sum.sums[i] = (sum.sums[i] ?? 0) + weightOf(place);
          weights.set(day, sum);
        }
        const [last, before] = [days.at(-1), days.at(-2)];
        return {
          watchId: watch.id,
          keyword: input.keyword,
          location: input.location,
          language: input.language,
          device: input.device,
          engine: input.engine,
          depth: input.depth,
          tags,
          checkedAt: last ? instant(last.answer.at) : null,
          snippet: last?.answer.places.snippet ?? null,
          cited: last?.answer.places.cited ? [...last.answer.places.cited] : null,
          sites: sites.map((site, i) => {
            const all = days.flatMap(({ places }) => places[i] ?? []);
            return {
              site,
              place: last?.places[i] ?? null,
              before: before?.places[i] ?? null,
              best: all.length > 0 ? Math.min(...all) : null,
            };
          }),
          days: days.map(({ day, places }) => ({ day, places })),
        };
      });
      const visibility: Rankings['visibility'] = [];
      for (let ms = fromMs; ms < untilMs; ms += DAY_MS) {
        const sum = weights.get(dayOf(ms));
        const count = sum?.keywords ?? 0;
        visibility.push({
          day: dayOf(ms),
          keywords: count,
          sites: sites.map((_, i) => (sum && count > 0 ? (sum.sums[i] ?? 0) / count : null)),
        });
      }
      return { from, to, sites, keywords, visibility };
    },
  };
}

interface Answered {
  readonly at: number;
  readonly places: Places;
}
/** The last answered check of each day (UTC) of these watches, by watch and day, oldest first. */
async function answersOf(db: Store['db'], watches: readonly number[], fromMs: number, untilMs: number) {
  const byWatch = new Map<number, Map<string, Answered>>();
  if (watches.length === 0) return byWatch;
  const rows = await db
    .selectFrom('watch_checks as c')
    .innerJoin('watch_bodies as b', (on) => on.onRef('b.watch', '=', 'c.watch').onRef('b.hash', '=', 'c.body'))
    .select(['c.watch', 'c.slot', 'c.at', 'c.body as hash', 'b.places'])
    .where('c.watch', 'in', watches)
    .where(({ eb, fn }) => eb(fn.coalesce('c.at', 'c.slot'), '>=', fromMs))
    .where(({ eb, fn }) => eb(fn.coalesce('c.at', 'c.slot'), '<', untilMs))
    .orderBy(({ fn }) => fn.coalesce('c.at', 'c.slot'))
    .execute();
  const read = new Map<string, Places>();
  for (const { watch, slot, at, hash, places } of rows) {
    const key = `${watch} ${hash}`;
    let found = read.get(key);
    if (!found) {
      found = places === null ? await placesOfBody(db, watch, hash ?? '') : (JSON.parse(places) as Places);
      read.set(key, found);
    }
    const days = byWatch.get(watch) ?? new Map<string, Answered>();
    byWatch.set(watch, days);
    const readAt = at ?? slot;
    days.set(dayOf(readAt), { at: readAt, places: found });
  }
  return byWatch;
}
/** Of an answer that was stored before places were. */
async function placesOfBody(db: Store['db'], watch: number, hash: string): Promise<Places> {
  const row = await db.selectFrom('watch_bodies').select('body').where('watch', '=', watch).where('hash', '=', hash).executeTakeFirst();
  return placesOf(row ? (JSON.parse(row.body) as Record<string, unknown>) : {});
}
