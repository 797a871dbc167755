import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverJson } from '../../tools/forms/agents.ts';

/** No package holds the schema of the registry: these are its rules for the members that we write. */
test('server.json keeps the rules of its schema: form of the name, lengths, one version, sum of the bundle, https address with "mcp" in it', () => {
  const sum = 'a1'.repeat(32);
  const { $schema, name, description, version, websiteUrl, packages } = serverJson(sum);
  assert.equal($schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(name.length <= 200 && description.length <= 100, description);
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.ok(URL.canParse(websiteUrl));
  const [bundle, ...others] = packages;
  assert.equal(others.length, 0);
  assert.match(bundle?.identifier ?? '', /^https:\/\/.*mcp/);
  assert.deepEqual([bundle?.version, bundle?.fileSha256, bundle?.transport.type], [version, sum, 'stdio']);
  for (const variable of bundle?.environmentVariables ?? []) assert.ok(variable.name && variable.isSecret === true);
});
