import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVideoPage } from './parse.ts';

const ID = '7301234567890123456';
const url = `https://www.tiktok.com/@acme/video/${ID}`;
const item = { id: ID, desc: 'Käse', author: { uniqueId: 'acme' }, stats: { playCount: 12 }, video: { duration: 12 } };
const json = JSON.stringify({ __DEFAULT_SCOPE__: { 'webapp.video-detail': { itemInfo: { itemStruct: item } } } });
const NAME = '__UNIVERSAL_DATA_FOR_REHYDRATION__';
const other = '<script data-id="__UNIVERSAL_DATA_FOR_REHYDRATION__">{"a":1}</script>';

test('the data script is found in any notation of its tag, and in the charset of the page', () => {
  for (const [open, close] of [
    [`<script id="${NAME}" type="application/json">`, '</script>'],
    [`<SCRIPT TYPE="application/json" ID='${NAME}'>`, '</SCRIPT>'],
    [`<script\n  data-id="x" data-rule="a > b"\n  id = ${NAME}\n>`, '</script >'],
  ] as const)
    for (const before of ['', other, '<scripted id="x">'])
      for (const [charset, encoding] of [
        ['utf-8', 'utf8'],
        ['windows-1252', 'latin1'],
        ['utf-16le', 'utf16le'],
      ] as const) {
        const body = Buffer.from(`<html><body>${before}${open}${json}${close}</body></html>`, encoding);
        const headers = { 'content-type': `text/html; charset=${charset}` };
        const outcome = readVideoPage({ status: 200, headers, body, url, atMs: 0 }, { url });
        assert.equal(outcome.tag === 'found' && outcome.resource.description, 'Käse', `${open} ${before} ${charset}`);
      }
});
