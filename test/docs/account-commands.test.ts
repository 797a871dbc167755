// Own process: it waits for processes that it starts.
// In the gate alone: it runs the commands of the pages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES } from './markdown.ts';
import { ACCOUNT_PAGES, runPages } from './run-pages.ts';

test('the pages about accounts are there', () =>
  assert.deepEqual(
    ACCOUNT_PAGES.filter((page) => !PAGES.includes(page)),
    [],
  ));

runPages(ACCOUNT_PAGES);
