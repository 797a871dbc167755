import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('the service imports no value of node:http, which would load the fetch of Node with every start', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  assert.deepEqual(
    files.filter((file) => /^import (?!type ).* from 'node:http';/m.test(readFileSync(file, 'utf8'))),
    [],
  );
});
