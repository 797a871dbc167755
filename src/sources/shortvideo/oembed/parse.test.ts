import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVideoOembed } from './parse.ts';

const read = (status: number, body: object) =>
  readVideoOembed(
    { status, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: '', atMs: 0 },
    { url: 'https://www.tiktok.com/@acme/video/7301234567890123456' },
  );

test('only the sentence for a missing video is absent, not one that begins with the same words', () => {
  for (const message of ['Something went wrong', 'something went wrong.']) assert.equal(read(400, { code: 400, message }).tag, 'absent');
  for (const message of ['Something went wrong, please try again later', 'Oops, something went wrong on our side'])
    assert.equal(read(400, { code: 400, message }).tag, 'refused', message);
});
