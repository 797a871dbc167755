// Few in a process: it computes for long.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readListing, readSearch, readThread } from '../../src/sources/forum/api/parse.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import type { Answer } from '../../src/upstream/answer.ts';
import { explore } from '../support/seeds.ts';
import { RECORDINGS, recordings } from './simulated-source.ts';

type Read = (answer: Answer) => Outcome;
const READERS: Record<string, Read> = {
  listing: (answer) => readListing(answer, { community: 'x', sort: 'hot' }),
  search: (answer) => readSearch(answer, { query: 'x', sort: 'relevance' }),
  thread: (answer) => readThread(answer, {} as { postId: string }),
};
/** Keys whose values a resource contains, or that contain such keys. */
const ANCHORS = new Set(
  'kind data children after replies id name link_id parent_id subreddit subreddit_id title author score score_hidden upvote_ratio num_comments url selftext is_self is_video stickied thumbnail created_utc permalink link_flair_text link_flair_richtext e t domain body count error reason'.split(
    ' ',
  ),
);
const OTHERS: unknown[] = [null, '', 'x', '<html>', 0, -1, 1.5, 1e300, true, false, [], {}, [null], { kind: 'Listing' }];

interface Spot {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly anchor: boolean;
}
/** The paths of all values of a document, array items included. */
function spotsOf(value: unknown, inAnchor = true, out: Spot[] = []): Spot[] {
  if (typeof value !== 'object' || value === null) return out;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const holder = value as Record<string, unknown>;
    const anchor = inAnchor && (typeof key === 'number' || ANCHORS.has(key));
    out.push({ holder, key, anchor });
    spotsOf(holder[key], anchor, out);
  }
  return out;
}

const body = (json: unknown): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(json)),
  url: 'https://oauth.reddit.com/x?raw_json=1',
  atMs: 0,
});
const itemsOf = (resource: unknown): Map<string, Record<string, unknown>> => {
  const r = resource as { post?: Record<string, unknown>; posts?: Record<string, unknown>[]; comments?: Record<string, unknown>[] };
  const all = [...(r.post ? [r.post] : []), ...(r.posts ?? []), ...(r.comments ?? [])];
  return new Map(all.map((item) => [`${item.commentId ?? item.postId}`, item]));
};
const pathOf = (url: unknown): string => String(url).replace(/^https?:\/\/[a-z]+\.reddit\.com/, '');
/**
 * The values of a resource that the original does not state: derived values (a permalink built from parts, the host of a link) count as
 * stated.
 */
function inventions(before: unknown, after: unknown): string[] {
  const [was, is] = [itemsOf(before), itemsOf(after)];
  const out: string[] = [];
  for (const [id, item] of is) {
    const original = was.get(id);
    if (!original) out.push(`item ${id}`);
    for (const [field, value] of Object.entries(item)) {
      if (value === null || JSON.stringify(value) === JSON.stringify(original?.[field])) continue;
      const built = field === 'permalink' && String(value).includes(`/_/${id}/`);
      const host = field === 'domain' && typeof item.url === 'string' && new URL(item.url).hostname === value;
      const level = field === 'depth' && was.size > 0; // a comment without its parent keeps its own depth
      const words = field === 'flair' && typeof original?.flair === 'string' && String(value).includes(original.flair.trim().slice(0, 3));
      const ownHost = field === 'url' && pathOf(value) === pathOf(original?.url);
      if (!built && !host && !level && !words && !ownHost) out.push(`${id}.${field}: ${JSON.stringify(value)}`);
    }
  }
  return out;
}
/** A value inserted by a mutation into a field that accepts any such value counts as stated by the platform; the 0 of a flag says false. */
const stated = (replaced: unknown, fault: string): boolean =>
  fault.endsWith(`: ${JSON.stringify(replaced === 0 && fault.endsWith(': false') ? false : replaced)}`) ||
  fault.endsWith(`item ${String(replaced)}`);

for (const [folder, read] of Object.entries(READERS))
  test(`a mutated ${folder} never makes the parser throw or invent values, and mutations of unused parts change nothing`, {
    skip: recordings,
  }, () => {
    const files = readdirSync(`${RECORDINGS}/${folder}`).filter((f) => f.endsWith('.json') && !/\.(meta|expected)\.json$/.test(f));
    const originals = files
      .map((f) => readFileSync(`${RECORDINGS}/${folder}/${f}`, 'utf8'))
      .filter((text) => text.length < 120_000)
      .filter((text) => read(body(JSON.parse(text))).tag === 'found');
    const runs = explore(1_500).map((run) => ({ run, counts: { all: 0, found: 0, apart: 0, equal: 0 } }));
    for (const { run, counts } of runs)
      fc.assert(
        fc.property(
          fc.nat(),
          fc.nat(),
          fc.constantFrom('delete', 'replace', 'rename', 'twice', 'cut'),
          fc.constantFrom(...OTHERS),
          (file, place, how, other) => {
            const text = originals[file % originals.length] as string;
            const json = JSON.parse(text) as unknown;
            const before = read(body(json));
            assert.equal(before.tag, 'found');
            if (how === 'cut') {
              const part = Buffer.from(text).subarray(0, place % text.length);
              assert.notEqual(read({ ...body(null), body: part }).tag, 'found', 'half an answer is none');
              return;
            }
            const spots = spotsOf(json);
            const spot = spots[place % spots.length];
            if (!spot) return;
            const holder = spot.holder as Record<string, unknown>;
            const value = holder[spot.key];
            if (Array.isArray(spot.holder) && how !== 'replace')
              spot.holder.splice(Number(spot.key), how === 'delete' ? 1 : 0, ...(how === 'twice' ? [value] : []));
            else if (how === 'replace') holder[spot.key] = other;
            else if (how !== 'twice') {
              delete holder[spot.key];
              if (how === 'rename') holder[`${spot.key}_2`] = value;
            }
            const after = read(body(json));
            counts.all++;
            if (after.tag === 'found') counts.found++;
            if (!spot.anchor) {
              counts.apart++;
              if (after.tag === 'found' && JSON.stringify(after.resource) === JSON.stringify((before as { resource: unknown }).resource))
                counts.equal++;
            }
            if (after.tag !== 'found') return;
            const faults = inventions((before as { resource: unknown }).resource, after.resource).filter(
              // the platform states whether a score is hidden: without that field the score is shown
              (f) => (how !== 'replace' || !stated(other, f)) && !(spot.key === 'score_hidden' && f.includes('.score:')),
            );
            const page = after.resource as { after?: unknown; hasMore?: boolean };
            const whole = (before as { resource: typeof page }).resource;
            if (page.after !== whole.after && page.after !== null) faults.push(`after: ${page.after}`);
            if (page.after === null && whole.after !== null && how !== 'replace') faults.push('after lost');
            assert.deepEqual(faults, [], `${how} ${String(spot.key)}`);
          },
        ),
        run,
      );
    const { counts } = runs[0] ?? assert.fail();
    console.log(
      `# ${folder}: ${counts.found} of ${counts.all} stay found; ${counts.equal} of ${counts.apart} that touch no anchor come back equal`,
    );
    assert.ok(counts.found / counts.all >= 0.3);
    assert.ok(counts.equal / counts.apart >= 0.95);
  });
test('random bytes never make a parser throw and are never found', () => {
  for (const run of explore(100)) {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 100, max: 599 }), (bytes, status) => {
        for (const read of Object.values(READERS)) assert.notEqual(read({ ...body(null), body: bytes, status }).tag, 'found');
      }),
      run,
    );
    fc.assert(
      fc.property(fc.json(), (text) => {
        for (const read of Object.values(READERS)) assert.notEqual(read({ ...body(null), body: Buffer.from(text) }).tag, 'found');
      }),
      run,
    );
  }
});
