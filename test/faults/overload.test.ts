import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { assertBooks, booksIn, House, type Reply, until } from './house.ts';

const ROUNDS = 3;
const QUIET_PER_SECOND = 20;
const SECONDS = 3;
const SURPRISED_SECONDS = 0.5;
const IN_FLIGHT = 32;

const house = new House();
const agent = new Agent({ connections: 2_000 });
after(async () => {
  await agent.destroy();
  await house.close();
});

let count = 0;
async function ask(baseUrl: string, key: string): Promise<Reply> {
  const id = `load-${++count}`;
  const began = performance.now();
  const headers = { 'x-api-key': key, 'x-request-id': id };
  const answer = await request(`${baseUrl}/v1/website/whois/domains/name-${count}.com`, { dispatcher: agent, headers });
  const body = await answer.body.json();
  return {
    id,
    status: answer.statusCode,
    headers: new Headers(answer.headers as Record<string, string>),
    body,
    ms: performance.now() - began,
  };
}
/** Arrivals that wait for nobody: those of the first half second, when the service cannot know yet what comes, and those after it. */
async function arrivals(perSecond: number, send: () => Promise<Reply>): Promise<{ first: Reply[]; later: Reply[] }> {
  const sent: Promise<Reply>[] = [];
  for (const began = performance.now(); performance.now() - began < SECONDS * 1000; await sleep(1))
    while (sent.length < ((performance.now() - began) * perSecond) / 1000) sent.push(send());
  const replies = await Promise.all(sent);
  const many = Math.ceil(perSecond * SURPRISED_SECONDS);
  return { first: replies.slice(0, many), later: replies.slice(many) };
}
/** How many a second it answers who always has some in. */
async function most(send: () => Promise<Reply>, replies: Reply[]): Promise<number> {
  const endMs = performance.now() + 2_000;
  let n = 0;
  const one = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const reply = await send();
      replies.push(reply);
      if (reply.status === 200) n++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, one));
  return n / 2;
}
const p99 = (replies: readonly Reply[]): number => {
  const times = replies
    .filter((r) => r.status === 200)
    .map((r) => r.ms)
    .sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
};
const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

test('three times what it can do: who is let in keeps three times the quiet p99, the rest get 503 with Retry-After and pay nothing', async (t) => {
  const folder = house.folder();
  const child = house.child([process.execPath, fileURLToPath(new URL('heavy.ts', import.meta.url))], { SIGHTLINE_DATA_DIR: folder });
  let out = '';
  child.stdout?.on('data', (data: Buffer) => {
    out += data;
  });
  await until('it serves', () => out.includes('\n'), 15_000);
  const { baseUrl, key } = JSON.parse(out) as { baseUrl: string; key: string };
  const send = () => ask(baseUrl, key);

  const all: Reply[] = [];
  const capacity = await most(send, all);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { later: quiet, first } = await arrivals(QUIET_PER_SECOND, send);
    const { later: busy, first: surprised } = await arrivals(3 * capacity, send);
    all.push(...first, ...quiet, ...surprised, ...busy);
    ratios.push(p99(busy) / p99(quiet));
    const shed = busy.filter((r) => r.status === 503).length;
    const [a, b, c] = [quiet, surprised, busy].map((r) => p99(r).toFixed(0));
    t.diagnostic(`p99 ${a} ms; at ${3 * capacity} a second ${b} ms at first, then ${c} ms, ${shed} of ${busy.length} shed`);
    assert.ok(shed > busy.length / 3, 'it was too much');
    assert.ok(busy.length - shed > (capacity * SECONDS) / 5, `${busy.length - shed} were answered, ${capacity} a second can be`);
    for (const reply of quiet) assert.equal(reply.status, 200, 'nobody is shed once the load has gone');
  }
  assert.ok(median(ratios) <= 3, `p99 ${ratios.map((r) => r.toFixed(2)).join(', ')} × the quiet one`);

  for (const { status, headers, body } of all) {
    if (status === 200) continue;
    assert.deepEqual([status, (body as { error: { code: string } }).error.code], [503, 'OVERLOADED']);
    assert.ok(Number(headers.get('retry-after')) >= 1);
    assert.equal(headers.get('x-credits-charged') ?? '0', '0');
  }
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  assertBooks(await booksIn(folder), all);
});
