/** Messages as the services that take them accept them: by what they publish, with texts of others that would break out of their place. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { SANDBOX_SETTINGS } from '../../sandbox/hosts.ts';
import { Sightline } from '../../src/client/index.ts';
import { FORMS, type HttpForm } from '../../src/watches/notify/forms/index.ts';
import { contentOf } from '../../src/watches/notify/mail.ts';
import { messageOf, type Told } from '../../src/watches/notify/message.ts';
import { startWhole } from '../end-to-end/service.ts';
import { until } from '../faults/service-process.ts';
import { createRandom } from '../simulation/random.ts';
import { receive } from './receivers.ts';

const NAMES = Object.keys(FORMS) as HttpForm[];
const BASE = 'https://sightline.example';

test('a change and a test message are taken by a receiver of each form that checks what it is sent', async (t) => {
  const taken = new Map<HttpForm, number[]>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const form = path === '/' ? 'ntfy' : (NAMES.find((name) => path.startsWith(`/${name}/`)) ?? 'text');
    void textOf(request).then((body) => {
      const { status, says } = receive(form, body, path);
      taken.set(form, [...(taken.get(form) ?? []), status]);
      response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 204 ? undefined : says);
    });
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = await startWhole(SANDBOX_SETTINGS);
  t.after(service.stop);
  const client = new Sightline({ baseUrl: service.baseUrl, apiKey: service.key });
  await client.watches.setNotify(NAMES.map((as) => ({ to: as === 'ntfy' ? `${origin}/topic` : `${origin}/${as}/hook`, as })));
  const { watchId } = await client.watches.create({
    operation: 'app',
    parameters: { handle: 'acme-reviews' },
    every: '1d',
    creditsPerMonth: 100,
  });
  await client.watches.run(watchId);
  service.sandbox.nextDay();
  await client.watches.run(watchId);
  await until('each target is told', async () => taken.size === NAMES.length);
  for (const { targetId, as } of (await client.watches.notify()).notify) {
    const { ok, error } = await client.watches.testNotify({ targetId });
    assert.deepEqual([ok, error], [true, null], as);
  }
  for (const form of NAMES)
    assert.deepEqual(
      taken.get(form)?.map((status) => status < 300),
      [true, true],
      form,
    );
});

/** Pieces that services read as something else than text. */
const BREAKS = [
  ...[
    '@everyone',
    '@here',
    '<!channel>',
    '<!here>',
    '<@U0123456>',
    '<@&42>',
    '<#C1|x>',
    '<!subteam^S1>',
    '@all',
    '~town-square',
    '#general',
  ],
  ...['[click](https://evil.example)', '<https://evil.example|bank>', 'https://evil.example/a?b=c', 'www.evil.example', 'x@evil.example'],
  ...['**bold**', '__under__', '~~no~~', '||spoiler||', '`code`', '```\nblock```', '# Heading', '> quote', '- item', '1. item', '$x$'],
  ...['"},{"type":"section"', '\\"]}', '{{template}}', '<at>Everyone</at>', '{{DATE(2026-01-01T00:00:00Z,SHORT)}}', '</p></body>'],
  ...[
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '&lt;b&gt;',
    '\r\nBcc: victim@example.com\r\n\r\nbody',
    '\u2028',
    '\0',
    '\u001b[2J',
  ],
  ...['\u202Eevil\u202C', '\u2066x\u2069', 'zero\u200Bwidth', '\ud800', '\u{1f469}\u200d\u{1f4bb}', '𝄞', 'ä', '\t', '\n', ':'],
];
const random = createRandom(48);
const hostile = (): string => {
  const text = Array.from({ length: 1 + random.below(6) }, () => random.pick(BREAKS)).join(random.pick(['', ' ', '\n']));
  return random.chance(0.2) ? text.padEnd(10_000, random.pick(['x', '𝄞', '.', '<', '*'])) : text;
};
function told(theirs: () => string, count: number): readonly Told[] {
  const change = (kind: 'changed' | 'added' | 'moved') => ({
    ...{ kind, field: 'reviews.reviewContent', key: theirs(), before: theirs(), after: theirs(), daysLeft: null, readAt: null },
  });
  const watch = { id: 'wat_5f0c2d', name: theirs(), operation: 'serp', parameters: JSON.stringify({ keyword: theirs() }) };
  const changes = Array.from({ length: count }, (_, i) => change(i % 3 === 0 ? 'changed' : i % 3 === 1 ? 'added' : 'moved'));
  return [{ watch, changes, atMs: Date.UTC(2026, 0, 31) }];
}
/** What a message is made of, without its texts. */
const shapeOf = (body: string): string =>
  JSON.stringify(
    JSON.parse(body, (name, value: unknown) =>
      /^(?:text|title|message|description)$/.test(name) && typeof value === 'string' ? '' : value,
    ),
  );
const tagsOf = (html: string): readonly string[] => html.match(/<[^>]*>/g) ?? [];

test('200 texts of others in each of six forms: every message is taken, and none breaks out of its place', (t) => {
  const counts = { texts: 0, messages: 0, refused: 0, out: 0 };
  for (; counts.texts < 200; counts.texts++) {
    const count = random.pick([1, 2, 30]);
    const message = messageOf(told(hostile, count), BASE);
    const harmless = messageOf(
      told(() => 'word', count),
      BASE,
    );
    const faults: unknown[] = [];
    for (const form of NAMES) {
      const to = 'https://hooks.example/topic';
      const { url, body } = FORMS[form](message, to);
      const { status, says } = receive(form, body, new URL(url).pathname);
      counts.messages++;
      if (status >= 300) faults.push([form, says]);
      if (shapeOf(body) !== shapeOf(FORMS[form](harmless, to).body)) faults.push([form, 'another shape']);
      if (!body.isWellFormed()) faults.push([form, 'half a character']);
    }
    const stop = `${BASE}/v1/notify/stop?token=x`;
    const [mail, plain] = [message, harmless].map((one) => contentOf(one, stop));
    counts.messages++;
    if (JSON.stringify(tagsOf(mail?.html ?? '')) !== JSON.stringify(tagsOf(plain?.html ?? ''))) faults.push(['email', 'another tag']);
    if (mail?.text.split('\n').length !== plain?.text.split('\n').length) faults.push(['email', 'another line']);
    if (/[\p{Cc}\p{Cf}]/u.test(mail?.subject ?? '')) faults.push(['email', 'a control character in the subject']);
    if (faults.length > 0) counts.out++;
    assert.deepEqual(faults, [], JSON.stringify(message.title).slice(0, 300));
  }
  t.diagnostic(`${counts.texts} texts, ${counts.messages} messages of six forms: ${counts.out} refused or out of their place`);
});

test('a receiver refuses what its service refuses', () => {
  const message = messageOf(
    told(() => 'word', 2),
    BASE,
  );
  for (const form of NAMES) {
    const { body } = FORMS[form](message, 'https://hooks.example/topic');
    assert.ok(receive(form, body, '/').status < 300, form);
    assert.equal(
      receive(form, JSON.stringify({ ...JSON.parse(body), more: 1 }), '/').status,
      400,
      `${form}: a member that it does not know`,
    );
    const long = body.replaceAll('word', 'word'.repeat(30_000));
    assert.equal(receive(form, long, '/').status, 400, `${form}: too long`);
  }
  assert.equal(receive('ntfy', FORMS.ntfy(message, 'https://hooks.example/topic').body, '/topic').status, 400);
});
