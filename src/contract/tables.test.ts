import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, operationList } from './operations/index.ts';
import type { Shape } from './resource-fields.ts';
import { answerTable, csvOf, csvRecord, type TableForm, tableForm } from './tables.ts';

const organic = { rank: 1, absoluteRank: 2, domain: 'a.com', url: 'https://a.com/', title: 'A', description: null, breadcrumb: null };
const search = {
  organic: [{ ...organic, websiteName: 'A', isFeaturedSnippet: false, rating: { value: 4.5, votesCount: null, max: 5 } }],
  paid: [{ rank: 1, domain: 'b.com', url: 'https://b.com/', title: '=HYPERLINK("x")', description: null, advertiserId: 'AR01' }],
};
const formOf = (rows: 'entries' | 'paid'): TableForm => {
  const form = tableForm(OPERATIONS.serp, rows);
  assert.ok(form);
  return form;
};

test('entries of a ranking are its organic results, with the parts of the rating; ads are rows of their own', () => {
  const text = csvOf(answerTable(formOf('entries'), search));
  assert.equal(
    text,
    'rank,domain,url,title,absoluteRank,description,breadcrumb,websiteName,isFeaturedSnippet,rating.value,rating.votesCount,rating.max\r\n' +
      '1,a.com,https://a.com/,A,2,,,A,FALSE,4.5,,5\r\n',
  );
  const ads = csvOf(answerTable(formOf('paid'), search));
  assert.equal(ads, 'rank,domain,url,title,description,advertiserId\r\n1,b.com,https://b.com/,"\'=HYPERLINK(""x"")",,AR01\r\n');
});

test('`entries` of an operation is a list of records of its resource, and every operation with pages has one', () => {
  for (const { id, resource, rows, pages } of operationList) {
    const lists = Object.entries((resource as Shape).properties ?? {}).flatMap(([name, field]) => (field.items?.properties ? [name] : []));
    assert.ok(rows?.entries === undefined || lists.includes(rows.entries), id);
    assert.ok(!pages || rows?.entries, `${id} has pages: of which list?`);
  }
  for (const operation of operationList) {
    const form = tableForm(operation, 'entries');
    assert.ok(!form || form.columns.length > 1, operation.id);
  }
});

test('no text is a formula, a number or date stays one, and a cell has at most 32,767 characters', () => {
  for (const text of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\rx']) assert.match(csvRecord([text]), /^"?'[=+\-@\t\r]/, text);
  assert.equal(
    csvRecord([-1.5, 7, null, true, '2026-01-07T20:01:30.000Z', '2026-01-07']),
    '-1.5,7,,TRUE,2026-01-07 20:01:30,2026-01-07\r\n',
  );
  assert.equal(csvRecord(['1801234567890123456', '12']), "'1801234567890123456,12\r\n");
  const long = `${'x'.repeat(32_765)}😀 and more`;
  const cell = csvRecord([long]).slice(0, -2);
  assert.equal(cell, `${'x'.repeat(32_765)}…`);
  assert.ok(cell.length <= 32_767 && cell.isWellFormed());
});
