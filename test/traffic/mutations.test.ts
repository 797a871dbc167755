import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { trafficOf } from '../../sandbox/traffic/facts.ts';
import { panel, tranco } from '../../sandbox/traffic/hosts.ts';
import type { TrafficEstimate } from '../../src/contract/operations/traffic/operation.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { readTranco } from '../../src/sources/traffic/model/parse.ts';
import { readSimilarweb, readSimilarwebV5 } from '../../src/sources/traffic/similarweb/parse.ts';
import type { Answer } from '../../src/upstream/answer.ts';

const RECORDINGS = '../shared/recordings/traffic';
const DOMAIN = 'acme-widgets.com';
const answerOf = (text: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(text),
  url: '',
  atMs: 0,
});
const bodyOf = async (host: typeof tranco, url: string): Promise<string> =>
  String((await host.answer({ method: 'GET', url: new URL(url), headers: { 'api-key': 'demo-similarweb' }, body: '', at: 0 })).body);

interface Case {
  readonly name: string;
  readonly json: unknown;
  readonly read: (answer: Answer) => Outcome<TrafficEstimate>;
}
const site = 'https://api.similarweb.com/v5/website-analysis/websites';
const query = `?domain=${DOMAIN}&granularity=monthly&start_date=2026-05&end_date=2026-10&metrics=visits,pages_per_visit,bounce_rate`;
const PATHS = ['traffic-and-engagement', 'traffic-channels/share', 'geography/aggregated'];
const panelFacts = trafficOf(DOMAIN)?.panel ?? assert.fail();
/** Answers of the paths that version 5 replaced. */
const EARLIER: Readonly<Record<string, object>> = {
  visits: { visits: panelFacts.months.map(({ month, visits }) => ({ date: `${month}-01`, visits })) },
  'bounce rate': { bounce_rate: panelFacts.months.map(({ month }) => ({ date: `${month}-01`, bounce_rate: panelFacts.bounceRate })) },
  sources: {
    visits: {
      [DOMAIN]: Object.entries(panelFacts.sources).map(([source_type, n]) => ({
        source_type,
        visits: [{ date: '2026-10-01', organic: Array.isArray(n) ? n[0] : n, paid: Array.isArray(n) ? n[1] : 0 }],
      })),
    },
  },
  countries: { records: panelFacts.countries.map(([country, country_name, share]) => ({ country, country_name, share })) },
  'global rank': { global_rank: { rank: panelFacts.globalRank } },
};
const cases: Case[] = [
  {
    name: 'ranks',
    json: JSON.parse(await bodyOf(tranco, `https://tranco-list.eu/api/ranks/domain/${DOMAIN}`)),
    read: (a) => readTranco(a, { domain: DOMAIN }),
  },
  ...(await Promise.all(
    PATHS.map(async (p) => ({
      name: p,
      json: JSON.parse(await bodyOf(panel, `${site}/${p}${query}`)),
      read: (a: Answer) => readSimilarwebV5(a, { domain: DOMAIN }),
    })),
  )),
  ...Object.entries(EARLIER).map(([name, json]) => ({
    name: `earlier ${name}`,
    json: { meta: { request: { domain: DOMAIN }, status: 'Success', last_updated: '2026-10-31' }, ...json },
    read: (a: Answer) => readSimilarweb(a, { domain: DOMAIN }),
  })),
];

/** The paths of all values of the answer. */
function places(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [
    ...(at.length ? [at] : []),
    ...Object.entries(value).flatMap(([k, v]) => places(v, [...at, Array.isArray(value) ? Number(k) : k])),
  ];
}
function changed(
  json: unknown,
  place: readonly (string | number)[],
  change: (parent: Record<string | number, unknown>, key: string | number) => void,
): unknown {
  const copy = structuredClone(json);
  let parent = copy as Record<string | number, unknown>;
  for (const key of place.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  change(parent, place.at(-1) ?? '');
  return copy;
}
/** The numbers and strings that the answer contains, at any path. */
function facts(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(facts);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(facts);
  return value === null ? [] : [value];
}
const DAMAGE = ['drop', 'null', 'text', 'object', 'negative', 'zero', 'true'] as const;
const damaged = (json: unknown, place: readonly (string | number)[], how: (typeof DAMAGE)[number]): unknown =>
  changed(json, place, (parent, key) => {
    if (how === 'drop') Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key];
    else parent[key] = { null: null, text: '�?', object: {}, negative: -5, zero: 0, true: true }[how];
  });

for (const { name, json, read } of cases) {
  const whole = read(answerOf(JSON.stringify(json)));
  assert.ok(whole.tag === 'found', `${name}: ${JSON.stringify(whole)}`);

  test(`${name}: a damaged answer never makes the parser throw or invent values`, () => {
    let [total, found] = [0, 0];
    const stated = new Set(facts(whole.resource).map(String));
    fc.assert(
      fc.property(fc.constantFrom(...places(json)), fc.constantFrom(...DAMAGE), (place, how) => {
        const broken = damaged(json, place, how);
        const outcome = read(answerOf(JSON.stringify(broken)));
        total++;
        if (outcome.tag !== 'found') return;
        found++;
        const r = outcome.resource;
        // a share is relative to the remaining total, and an older month may become the newest: the damaged answer itself states both
        const own = new Set([...facts(broken).map(String), ...stated]);
        for (const [field, value] of Object.entries(r)) {
          if (['trafficSources', 'visits', 'visitsLow', 'visitsHigh', 'period', 'history', 'confidence', 'rankSource'].includes(field))
            continue;
          for (const fact of facts(value)) assert.ok(own.has(String(fact)), `${field} ${fact} is invented`);
        }
        for (const n of facts([r.visits, r.bounceRate, r.pagesPerVisit, r.globalRank])) assert.ok(typeof n === 'number' && n > 0);
      }),
      { numRuns: 400 },
    );
    console.log(`${name}: ${found} of ${total} damaged answers stay found`);
    assert.ok(found >= 0.3 * total, `only ${found} of ${total} are still read`);
  });

  test(`${name}: changes of fields that the parser does not read have no effect`, () => {
    fc.assert(
      fc.property(fc.constantFrom(...places(json)), fc.string({ minLength: 1 }), fc.jsonValue(), (place, key, value) => {
        const more = changed(json, place, (parent) => {
          if (!Array.isArray(parent)) parent[`x_${key}`] = value;
        });
        assert.deepEqual(read(answerOf(JSON.stringify(more, null, 1))), whole);
      }),
      { numRuns: 200 },
    );
  });

  test(`${name}: random bytes never make the parser throw, and a truncated answer is changed`, () => {
    const text = JSON.stringify(json);
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (body) => assert.notEqual(read({ ...answerOf(''), body }).tag, 'found')));
    fc.assert(fc.property(fc.nat(text.length - 1), (n) => assert.equal(read(answerOf(text.slice(0, n))).tag, 'changed')));
  });
}

test('the simulated list and panel have the structure of the recorded ones', (t) => {
  const recorded = (file: string): unknown => JSON.parse(readFileSync(`${RECORDINGS}/${file}`, 'utf8'));
  let list: unknown;
  try {
    list = recorded('reconstructed-tranco_ranks_domain_example.com.json');
  } catch (error) {
    if (process.env.SIGHTLINE_TEST_REQUIRE?.includes('recordings')) throw error;
    t.skip('the recordings are not here');
    return;
  }
  const shape = (value: unknown): string[] => [
    ...new Set(places(value).map((p) => p.map((k) => (typeof k === 'number' ? '[]' : k)).join('.'))),
  ];
  const simulated = shape(cases[0]?.json);
  const common = shape(list).filter((p) => simulated.includes(p));
  assert.ok(common.length >= 0.9 * shape(list).length && common.length >= 0.9 * simulated.length, `${common} of ${simulated}`);
});
