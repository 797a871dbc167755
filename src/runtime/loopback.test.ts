import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback } from './loopback.ts';

test('localhost, 127.0.0.0/8 and ::1 are this machine; what only begins or ends like them is not', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.1.2.3', '::1', '[::1]']) assert.equal(isLoopback(host), true, host);
  const others = [
    '127.example.com',
    '127.0.0.1.example.com',
    'localhost.example.com',
    'a.localhost',
    '0.0.0.0',
    '10.0.0.1',
    '[::2]',
    '127.1',
    '',
  ];
  for (const host of others) assert.equal(isLoopback(host), false, host);
});
