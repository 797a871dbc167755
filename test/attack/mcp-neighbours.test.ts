// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAdmin } from '../../src/gateway/admin/client.ts';
import { newLookupPath, ServiceProcesses } from '../faults/service-process.ts';

const processes = new ServiceProcesses();
after(() => processes.close());

const message = (members: number): string => {
  const given = Object.fromEntries(Array.from({ length: members }, (_, i) => [`m${i}`, i]));
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'registration', arguments: given } });
};

test('an account that sends ten messages a second with 20,000 members, or with as many as are allowed, refuses nothing of another', async () => {
  const folder = processes.folder();
  const served = await processes.serve(folder, { SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '8' });
  const admin = await connectAdmin(folder);
  assert.ok(admin);
  const { accountId } = await admin.createAccount({ name: 'Neighbour', credits: 1000 });
  const { key } = await admin.createKey({ accountId });
  for (const [members, status] of [
    [20_000, 413],
    [5_000, 400],
    [950, 200],
  ] as const) {
    const body = message(members);
    let isDone = false;
    const statuses: number[] = [];
    const post = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'x-api-key': key };
      const answer = await fetch(`${served.baseUrl}/mcp`, { method: 'POST', headers, body });
      await answer.text();
      statuses.push(answer.status);
    };
    const sent: Promise<void>[] = [];
    const busy = (async () => {
      for (; !isDone; await sleep(100)) sent.push(post());
    })();
    for (let i = 0; i < 40; i++) assert.equal((await served.get(newLookupPath())).status, 200, `${members} members`);
    isDone = true;
    await busy;
    await Promise.all(sent);
    assert.ok(statuses.length > 0);
    assert.deepEqual(new Set(statuses), new Set([status]), `${members} members`);
  }
  assert.equal(await processes.end(served), 0);
});
