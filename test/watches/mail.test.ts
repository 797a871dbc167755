// In the gate alone: it starts a mail server.
/** Mail through a real server: aiosmtpd of Debian (python3-aiosmtpd). */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { Sightline } from '../../src/client/index.ts';
import { type Running, startWhole } from '../end-to-end/service.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

const PYTHON = '/usr/bin/python3';
const isThere = spawnSync(PYTHON, ['-c', 'import aiosmtpd']).status === 0;
const required = (process.env.SIGHTLINE_TEST_REQUIRE ?? '').split(',').includes('mail');
const skip = isThere || required ? false : 'no mail server here (Debian package python3-aiosmtpd)';

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, string>>;
}
const server = skip
  ? null
  : spawn(PYTHON, ['test/watches/mail-server.py'], { stdio: ['ignore', 'pipe', 'inherit'], env: CHILD_ENVIRONMENT });
const lines = server && createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const next = async (): Promise<Record<string, never>> => JSON.parse(String((await lines?.next())?.value)) as Record<string, never>;
const nextMail = async (): Promise<Mail> => (await next()) as never as Mail;

let service: Running;
let client: Sightline;
before(async () => {
  if (skip) return;
  const { port } = await next();
  service = await startWhole({
    ...SANDBOX_SETTINGS,
    SIGHTLINE_SMTP_URL: `smtp://127.0.0.1:${port}`,
    SIGHTLINE_MAIL_FROM: 'Sightline <alerts@example.com>',
  });
  client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
});
after(async () => {
  await service?.stop();
  server?.kill();
});
const linkIn = (mail: Mail): string => /https?:\/\/\S+/.exec(mail.parts['text/plain'] ?? '')?.[0] ?? '';
const press = (url: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'List-Unsubscribe=One-Click' });

test('an address confirms by a button, gets readable messages, and stops them by one click', { skip }, async () => {
  const { notify } = await client.watches.setNotify([{ to: 'mailto:Me.Myself@example.com' }]);
  assert.deepEqual([notify[0]?.as, notify[0]?.confirmed], ['email', false]);
  const asking = await nextMail();
  assert.deepEqual(asking.to, ['Me.Myself@example.com']);
  assert.equal(asking.headers.from, 'Sightline <alerts@example.com>');
  const link = linkIn(asking);
  const refuses = /^<(\S+)>$/.exec(String(asking.headers['list-unsubscribe']))?.[1] ?? '';
  assert.equal(asking.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.equal(asking.headers['auto-submitted'], 'auto-generated', 'no notice of absence answers it');
  assert.ok(refuses !== '' && asking.parts['text/plain']?.includes(refuses), 'whom it does not concern can say so');
  await assert.rejects(client.watches.testNotify({ targetId: String(notify[0]?.targetId) }), /has not confirmed yet/);
  const page = await fetch(link);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<form method="post" action="\/v1\/notify\/confirm\?token=[^"]+"><button>Confirm<\/button><\/form>/);
  assert.equal((await client.watches.notify()).notify[0]?.confirmed, false, 'to open the link changes nothing');
  assert.equal((await press(link)).status, 200);
  assert.equal((await client.watches.notify()).notify[0]?.confirmed, true);
  // not the last character: half of its bits say nothing
  assert.equal((await press(link.replace(/(?<=token=)./, (first) => (first === 'A' ? 'B' : 'A')))).status, 404);

  const { watchId } = await client.watches.create({
    ...({
      operation: 'app',
      parameters: { handle: 'acme-reviews' },
      every: '1d',
      creditsPerMonth: 100,
      name: 'Ours\r\nBcc: x@example.com',
    } as const),
    name: 'Ours <b>first</b> https://evil.example',
    fields: ['pricings.price'],
  });
  await client.watches.run(watchId);
  service.sandbox.nextDay();
  await client.watches.run(watchId);
  const mail = await nextMail();
  assert.match(String(mail.headers.subject), /^Ours <b>first<\/b> https:\/\/evil\.example: /);
  const plain = mail.parts['text/plain'] ?? '';
  assert.match(plain.replaceAll('\u2060', ''), /pricings price of \S+.*: \S+ → \S+ \(read 20/);
  assert.doesNotMatch(plain, /https:\/\/evil|evil\.|pricings\./);
  assert.match(mail.parts['text/html'] ?? '', /Ours &#60;b&#62;first/);
  assert.doesNotMatch(mail.parts['text/html'] ?? '', /<b>|https:\/\/evil/);
  assert.match(String(mail.headers['message-id']), new RegExp(`^<chg_${watchId.slice(4)}_\\d+@example\\.com>$`));
  assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
  assert.equal(mail.headers['auto-submitted'], 'auto-generated');
  const stop = /^<(\S+)>$/.exec(String(mail.headers['list-unsubscribe']))?.[1] ?? '';
  assert.ok(mail.parts['text/plain']?.includes(stop), 'the link to stop stands in the text, too');
  assert.equal((await client.watches.testNotify({ targetId: String(notify[0]?.targetId) })).status, 250);
  assert.match(String((await nextMail()).headers.subject), /test message/);

  assert.equal((await fetch(stop)).status, 200);
  assert.equal((await client.watches.notify()).notify[0]?.confirmed, true);
  assert.equal((await press(stop)).status, 200);
  const [stopped] = (await client.watches.notify()).notify;
  assert.deepEqual([stopped?.confirmed, stopped?.lastError], [false, 'the address stopped the messages']);
});

test('an address is asked three times a day at most', { skip }, async () => {
  const set = () => client.watches.setNotify([{ to: `mailto:often@example.com`, digest: '1d' }]);
  const none = () => client.watches.setNotify([]);
  for (let i = 0; i < 3; i++) {
    await none();
    assert.equal((await set()).notify[0]?.lastError, null);
    await nextMail();
  }
  for (const again of [none, set]) {
    await again();
    assert.equal((await set()).notify[0]?.lastError, 'asked too often today: set it again tomorrow');
  }
});

test('setting an address again asks it again, and the limits hold under concurrent requests', { skip }, async () => {
  const set = () => client.watches.setNotify([{ to: 'mailto:again@example.com' }]);
  await set();
  const first = await nextMail();
  await set();
  const second = await nextMail();
  assert.deepEqual([first.to, second.to], [['again@example.com'], ['again@example.com']]);
  assert.equal((await press(linkIn(second))).status, 200);
  await set();
  const [target] = (await client.watches.notify()).notify;
  assert.equal(target?.confirmed, true);

  await Promise.all(Array.from({ length: 8 }, () => client.watches.setNotify([{ to: 'mailto:many@example.com' }])));
  for (let i = 0; i < 3; i++) assert.deepEqual((await nextMail()).to, ['many@example.com']);
  assert.match(String((await client.watches.notify()).notify[0]?.lastError), /^asked too often today/);
  await client.watches.setNotify([{ to: 'mailto:last@example.com' }]);
  assert.deepEqual((await nextMail()).to, ['last@example.com'], 'no fourth mail came before');
});
