import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sourceFiles } from './imports.ts';

/** What decides over a paid lookup, and the files that may say it. */
const RESERVED: readonly { readonly what: RegExp; readonly files: readonly string[] }[] = [
  { what: /\badmit\(/, files: ['src/gateway/admission/admit.ts', 'src/lookups/paid-lookup.ts'] },
  { what: /\.begin\(parts\.newRequestId/, files: ['src/watches/check.ts'] },
  { what: /\.openCharge\(/, files: ['src/lookups/paid-lookup.ts'] },
  {
    what: /\bcharge\??\.(?:decide|renew|capture|captureSlowRead|waive|cancel|sourceNotAsked)\(/,
    files: ['src/lookups/paid-lookup.ts'],
  },
  { what: /\bnew Charge\(/, files: ['src/billing/billing.ts'] },
  { what: /\borchestrator\.lookup\(/, files: ['src/lookups/free-lookup.ts', 'src/lookups/paid-lookup.ts'] },
  { what: /\busageRowOf\(/, files: ['src/gateway/http/response.ts', 'src/lookups/usage-row.ts', 'src/watches/check.ts'] },
];

test('a paid lookup is decided in one module: nobody else admits, holds, charges or asks the orchestrator', () => {
  const sources = sourceFiles(['src']);
  for (const { what, files } of RESERVED) {
    const found = sources.filter((file) => what.test(readFileSync(file, 'utf8')));
    assert.deepEqual(found, files, String(what));
  }
});
