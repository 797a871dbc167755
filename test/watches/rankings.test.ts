import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreditLedger } from '../../src/billing/ledger.ts';
import { dayOf } from '../../src/runtime/clock.ts';
import { BACKENDS, type Bench } from '../ledger/backends.ts';
import { sizeOf } from '../support/sizes.ts';
import { DAY, houseOn } from './house.ts';

const SITES = ['own.com', 'rival1.com', 'rival2.co.uk', 'rival3.org', 'rival4.net', 'rival5.de'] as const;
const HOSTS = [...SITES, ...SITES.map((site) => `www.${site}`), 'blog.own.com', 'notown.com', 'other.example', 'xrival1.com'];
const [KEYWORDS, DAYS] = [sizeOf({ whole: 50, part: 8 }), sizeOf({ whole: 90, part: 20 })];

/** The same numbers whenever they are asked for. */
function draw(seed: string): number {
  let hash = 2166136261;
  for (const character of seed) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  return (hash >>> 0) / 2 ** 32;
}
interface Said {
  readonly organic: readonly { readonly rank: number; readonly domain: string; readonly isFeaturedSnippet: boolean }[];
  readonly cited: readonly string[] | null;
}
/** What the page of a keyword says on a day; null: it did not answer. */
function saidOn(keyword: string, day: number): Said | null {
  const of = (what: string) => draw(`${keyword} ${day} ${what}`);
  if (of('gap') < 0.2) return null;
  const hosts = HOSTS.filter((host) => of(host) < 0.4).sort((a, b) => of(`${a} place`) - of(`${b} place`));
  return {
    organic: hosts.map((domain, i) => ({ rank: 3 * i + 1, domain, isFeaturedSnippet: i === 0 && of('snippet') < 0.5 })),
    cited: of('overview') < 0.5 ? hosts.slice(0, 2) : null,
  };
}
const entry = ({ rank, domain, isFeaturedSnippet }: Said['organic'][number]) => ({
  ...{ rank, absoluteRank: rank, domain, url: `https://${domain}/`, title: domain, description: null, breadcrumb: null },
  ...{ websiteName: null, isFeaturedSnippet, rating: null },
});

for (const backend of BACKENDS)
  describe(`rankings on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    const ledgers: CreditLedger[] = [];
    before(async () => {
      bench = await backend.open();
    });
    after(async () => {
      for (const ledger of ledgers) await ledger.close();
      await bench.drop();
    });

    test(`${KEYWORDS} keywords, six sites and ${DAYS} days with gaps: the same as an independent calculation, without a lookup`, async (t) => {
      const firstMs = await bench.store.now();
      let asked = 0;
      const house = await houseOn(bench, (request, nowMs) => {
        asked++;
        const { keyword } = request.input as { keyword: string };
        const said = saidOn(keyword, Math.round((nowMs - firstMs) / DAY));
        if (said === null) return { error: 'UPSTREAM_TIMEOUT' };
        const aiOverview = said.cited && {
          text: 'x',
          references: said.cited.map((domain) => ({ domain, url: `https://${domain}/`, title: 'x' })),
        };
        return {
          resource: {
            keyword,
            features: [],
            organic: said.organic.map(entry),
            paid: [],
            aiOverview,
            relatedSearches: [],
            totalResults: null,
          },
        };
      });
      ledgers.push(house.ledger);
      const { watches, caller } = house;
      const ids: string[] = [];
      for (let k = 0; k < KEYWORDS; k++) {
        const tags = k % 2 ? ['odd'] : [];
        const body = {
          operation: 'serp',
          parameters: { keyword: `k${k}`, depth: '100' },
          every: '7d',
          creditsPerMonth: 1e6,
          paused: false,
          tags,
          due: [],
        };
        ids.push((await watches.create(caller, body)).watchId);
      }
      for (let day = 0; day < DAYS; day++) {
        for (const id of ids) await watches.run(caller, id);
        await bench.jump(DAY);
      }
      await watches.setSites({ ...caller, manages: true }, { own: SITES[0], rivals: SITES.slice(1) });
      const [from, to] = [dayOf(firstMs), dayOf(firstMs + (DAYS - 1) * DAY)];
      const askedBefore = asked;
      const begun = performance.now();
      const said = await watches.rankings(caller, { from, to });
      t.diagnostic(`${KEYWORDS} × 6 × ${DAYS}: ${Math.round(performance.now() - begun)} ms`);
      assert.equal(asked, askedBefore, 'no lookup');
      assert.deepEqual(said.sites, SITES);

      const best = (page: Said, site: string): number | null => {
        const ranks = page.organic.filter(({ domain }) => domain === site || domain.endsWith(`.${site}`)).map(({ rank }) => rank);
        return ranks.length > 0 ? Math.min(...ranks) : null;
      };
      for (const [k, keyword] of said.keywords.entries()) {
        const pages = Array.from({ length: DAYS }, (_, day) => ({ day, page: saidOn(`k${k}`, day) })).filter(({ page }) => page !== null);
        assert.deepEqual(
          keyword.days,
          pages.map(({ day, page }) => ({ day: dayOf(firstMs + day * DAY), places: SITES.map((site) => best(page as Said, site)) })),
        );
        const [last, earlier] = [pages.at(-1)?.page, pages.at(-2)?.page];
        assert.equal(keyword.snippet, last?.organic.find(({ isFeaturedSnippet }) => isFeaturedSnippet)?.domain ?? null);
        assert.deepEqual(keyword.cited, last?.cited ?? null);
        for (const [i, site] of SITES.entries()) {
          const all = pages.flatMap(({ page }) => best(page as Said, site) ?? []);
          const at = (page: Said | null | undefined) => (page ? best(page, site) : null);
          assert.deepEqual(keyword.sites[i], {
            site,
            place: at(last),
            before: at(earlier),
            best: all.length > 0 ? Math.min(...all) : null,
          });
        }
      }
      for (const [day, { keywords, sites }] of said.visibility.entries()) {
        const pages = ids.flatMap((_, k) => saidOn(`k${k}`, day) ?? []);
        assert.equal(keywords, pages.length);
        for (const [i, site] of SITES.entries()) {
          const worth = pages.map((page) => best(page, site)).map((place) => (place !== null && place <= 20 ? 1 / place : 0));
          const mean = worth.length === 0 ? null : worth.reduce((sum, one) => sum + one, 0) / worth.length;
          if (mean === null) assert.equal(sites[i], null);
          else assert.ok(Math.abs(Number(sites[i]) - mean) < 1e-12, `${day} ${site}`);
        }
      }
      const odd = await watches.rankings(caller, { from, to, tag: 'odd' });
      assert.deepEqual(
        odd.keywords.map(({ keyword }) => keyword),
        ids.flatMap((_, k) => (k % 2 ? [`k${k}`] : [])),
      );
      assert.equal((await watches.rankings(caller, { from, to, location: 'DE' })).keywords.length, 0);
      assert.equal((await watches.rankings({ ...caller, operations: ['registration'] }, { from, to })).keywords.length, 0);
    });

    test('sites are registrable domains, each once, and wrong ones are refused with the field', async () => {
      const house = await houseOn(bench, () => ({ error: 'UPSTREAM_TIMEOUT' }));
      ledgers.push(house.ledger);
      const set = (body: unknown) => house.watches.setSites(house.caller, body);
      assert.deepEqual(await set({ own: 'www.Example.COM', rivals: ['bücher.de'] }), { own: 'example.com', rivals: ['xn--bcher-kva.de'] });
      assert.deepEqual(await house.watches.sites(house.caller), { own: 'example.com', rivals: ['xn--bcher-kva.de'] });
      for (const [body, says] of [
        [{ own: 'com' }, /Field own is "com", but it must/],
        [{ own: 5 }, /Field own is 5, but it must be a domain, such as example\.com/],
        [{ own: 'a.com', rivals: ['www.a.com'] }, /Field rivals names a\.com twice/],
        [{ rivals: ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com'] }, /a list of at most 5 domains/],
        [{ owns: 'a.com' }, /Field owns is not known: use own, rivals/],
        [[], /The body must be \{"own"/],
      ] as const)
        await assert.rejects(set(body), says);
    });
  });
