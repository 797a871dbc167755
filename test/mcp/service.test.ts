import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Running } from '../end-to-end/service.ts';
import { chargedAt, connect, contentOf, exampleCalls, startHouse } from './house.ts';

let house: Running;
before(async () => {
  house = await startHouse();
});
after(() => house.stop());

test('every tool answers a real client of both revisions, and the ledger has what the answers said', async () => {
  let said = 0;
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await connect(house.baseUrl, { 'x-api-key': house.key }, mode);
    const { tools } = await client.listTools();
    assert.equal(tools.length, 16);
    for (const call of exampleCalls) {
      const result = await client.callTool(call);
      assert.equal(result.isError, undefined, `${call.name}: ${JSON.stringify(result.structuredContent)}`);
      const { data, call: facts } = contentOf(result);
      assert.ok(Object.keys(data).length > 0);
      said += facts.credits;
      assert.ok(JSON.stringify(result).length <= 100_000, `${call.name} is above 25,000 tokens`);
    }
    await client.close();
  }
  assert.equal(said, 14);
  assert.equal(await chargedAt(house, said), said);
});
