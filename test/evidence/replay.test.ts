// Few in a process: it waits for processes that it starts.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { APPS } from '../../sandbox/appmarket/apps.ts';
import { COMPETITORS } from '../../sandbox/competitors.ts';
import { HOSTS, SANDBOX_SETTINGS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { createCaptures } from '../../src/captures/captures.ts';
import { capturesIn } from '../../src/captures/read-captures.ts';
import { addTo, emptySummary, type ReplaySummary, replayAll } from '../../src/cli/replay.ts';
import { createPorts } from '../../src/cli/service.ts';
import { type Input, type OperationId, operationList } from '../../src/contract/operations/index.ts';
import { createCheck } from '../../src/orchestrator/engine.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import type { ReplayParts } from '../../src/orchestrator/replay.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { createUuid7 } from '../../src/runtime/uuid.ts';
import { readSettings } from '../../src/settings.ts';
import { appmarketPage } from '../../src/sources/appmarket/page/source.ts';
import { SOURCES } from '../../src/sources/index.ts';
import type { Source } from '../../src/sources/source.ts';
import { bodyText } from '../../src/upstream/answer.ts';
import type { Http, Pace } from '../../src/upstream/ports.ts';
import { sizeOf } from '../support/sizes.ts';
import { folderOf } from './samples.ts';

/** An engine over the simulated platforms whose attempts are all captured. */
async function recorded(t: TestContext, sources: readonly Source[] = SOURCES) {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const folder = folderOf(t);
  const settings = readSettings({
    ...SANDBOX_SETTINGS,
    SIGHTLINE_HOSTS: sandbox.mapFile,
    SIGHTLINE_CAPTURE: 'all',
    SIGHTLINE_PACE_PER_SECOND: '1000',
    SIGHTLINE_APPMARKET_PACE_MS: '100',
    SIGHTLINE_DATA_DIR: folder,
  });
  const ports = await createPorts(settings, () => {}, realClock, { pace: AT_ONCE });
  const check = createCheck();
  const newId = createUuid7(realClock.now, randomBytes);
  const captures = createCaptures({ settings, clock: realClock, random: Math.random, newId, folder, log: () => {} });
  const engine = createLocalEngine(sources, ports, captures);
  t.after(async () => {
    await captures.close(1_000);
    await ports.close();
    await sandbox.close();
  });
  return { sandbox, folder, settings, captures, engine, check };
}
const exampleOf = (id: OperationId): Input => {
  const operation = operationList.find((o) => o.id === id);
  const read = operation?.readInput(
    operation.parameters.filter((p) => p.required).map((p): [string, string] => [p.name, String(p.example)]),
  );
  assert.ok(read?.ok);
  return read.value;
};

/** Paced sources answer at once. */
const AT_ONCE: Pace = { take: async () => 0, rest: async () => {}, resting: async () => 0 };

async function replayed(folder: string, parts: ReplayParts): Promise<{ summary: ReplaySummary; changed: string[]; notes: string[] }> {
  const summary = emptySummary();
  const [changed, notes]: [string[], string[]] = [[], []];
  for await (const one of replayAll(parts, capturesIn(folder))) {
    const { capture, source, operation } = one.capture.facts;
    addTo(summary, one);
    if ('skipped' in one) notes.push(`${source} ${operation}: ${one.skipped}`);
    else if (one.differences.length > 0 || one.before.tag !== one.after.tag) {
      changed.push(capture);
      notes.push(
        `${source} ${operation} ${one.before.tag} → ${one.after.tag} ${JSON.stringify(one.differences)} ${one.after.detail ?? ''}`,
      );
    }
  }
  return { summary, changed, notes };
}

test('every source of the demo is replayed from its captures to the same outcome, without a request', async (t) => {
  const { engine, captures, folder, settings, check, sandbox } = await recorded(t);
  // the operator's browser makes its own requests: its attempts are not captured
  const sources = SOURCES.filter((source) => source.id !== 'serp/browser');
  const tags = new Map<string, string>();
  for (const source of sources)
    for (const operation of source.operations) {
      const { tag } = await engine.attempt({ source: source.id, operation, input: exampleOf(operation), leftMs: 20_000 });
      tags.set(`${source.id} ${operation}`, tag);
    }
  await captures.flush();
  const requests = sandbox.requests.length;
  const { summary, notes } = await replayed(folder, { sources: SOURCES, settings, check });
  assert.deepEqual(notes, []);
  assert.equal(sandbox.requests.length, requests, 'a replay makes no request');
  // SearXNG has no address here: it asked nothing
  assert.equal(summary.captures, tags.size - 1);
  assert.equal(summary.same, summary.captures);
  assert.ok([...tags.values()].filter((tag) => tag === 'found').length >= 17, JSON.stringify([...tags]));
});

const CAPTURES = sizeOf({ whole: 300, part: 120 });

test(`${CAPTURES} captures replayed: no difference by the same reader; after a change of one selector exactly the affected ones`, async (t) => {
  const { engine, captures, folder, settings, check } = await recorded(t);
  const lookups = [
    ...COMPETITORS.filter(({ domain }) => domain.endsWith('.com')).map(
      ({ domain }) => ['registration/rdap', 'registration', { domain }] as const,
    ),
    ['shortvideo/page', 'short-video', exampleOf('short-video')] as const,
    ['DataForSEO', 'serp', exampleOf('serp')] as const,
    // more than there are captures: the others come first
    ...APPS.map((app) => ['appmarket/page', 'app', { handle: app.handle }] as const),
  ];
  const isAffected: boolean[] = [];
  for (let n = 0; n < CAPTURES; n++) {
    const [source, operation, input] = lookups[n % lookups.length] ?? assert.fail();
    const outcome = await engine.attempt({ source, operation, input: input as Input, leftMs: 20_000 });
    assert.equal(outcome.tag, 'found', `${source}: ${JSON.stringify(outcome)}`);
    const text = outcome.tag === 'found' ? outcome.resource.bytes.toString() : '{}';
    const { worksWith = [] } = JSON.parse(text) as { worksWith?: string[] };
    isAffected.push(worksWith.length > 0);
  }
  await captures.flush();
  const same = await replayed(folder, { sources: SOURCES, settings, check });
  assert.deepEqual(same.notes, []);
  assert.deepEqual([same.summary.captures, same.summary.same], [CAPTURES, CAPTURES]);

  const changedReader: Source = {
    ...appmarketPage,
    // a parser that looks for another label finds what this one finds where the label is another
    open: (ports) => appmarketPage.open({ ...ports, http: relabelled(ports.http, 'Works with', 'Integrates with') }),
  };
  const sources = SOURCES.map((source) => (source === appmarketPage ? changedReader : source));
  const { summary } = await replayed(folder, { sources, settings, check });
  const affected = isAffected.filter(Boolean).length;
  assert.ok(affected > CAPTURES / 10 && affected < 0.9 * CAPTURES, `${affected} captures have the field`);
  assert.equal(summary.different, affected);
  assert.equal(summary.lost, 0);
  // the label that the page has is one that the changed parser does not know: what stands beside it is unread
  assert.deepEqual(summary.fields, { 'appmarket/page': { worksWith: affected, unread: affected } });
});

function relabelled(http: Http, label: string, other: string): Http {
  return {
    async ask(request) {
      const reply = await http.ask(request);
      if (reply.tag !== 'answer') return reply;
      return { tag: 'answer', answer: { ...reply.answer, body: Buffer.from(bodyText(reply.answer).replaceAll(label, other)) } };
    },
  };
}
