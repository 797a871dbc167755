import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { html, redirect, type SandboxHost, type SandboxRequest } from '../../../sandbox/host.ts';
import { answerOf, detailOf, outside } from '../../../test/support/upstream-fixture.ts';

const seen: SandboxRequest[] = [];
/** `/to?<status>=<address>` redirects; every other path is a page. */
const player: SandboxHost = {
  origins: ['https://a.example', 'https://b.example', 'http://plain.example'],
  answer(request) {
    seen.push(request);
    const [[status, to] = []] = request.url.searchParams;
    return request.url.pathname === '/to' && to ? redirect(to, Number(status)) : html('here');
  },
};
let ports: Awaited<ReturnType<typeof outside>>;
before(async () => {
  ports = await outside({ hosts: [player] });
});
after(() => ports.close());
const to = (address: string, status = 302, from = 'https://a.example') => `${from}/to?${status}=${encodeURIComponent(address)}`;
const last = () => seen.at(-1);

test('a redirect is followed, relative or absolute, and the answer has the final URL', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    assert.equal(answerOf(await ports.ask(to('/there', status))).url, 'https://a.example/there');
    assert.equal(answerOf(await ports.ask(to('https://b.example/x?y#z', status))).url, 'https://b.example/x?y');
  }
  assert.equal(answerOf(await ports.ask(to('https://a.example/up', 301, 'http://plain.example'))).url, 'https://a.example/up');
});

test('a redirect to a forbidden address is refused in every notation, and no request is sent', async () => {
  const bad =
    'http://127.0.0.1/ https://127.0.0.1/ //2130706433/ https://0x7f.1/ https://0177.0.0.1/ https://[::1]/ https://[::ffff:127.0.0.1]/ ' +
    'https://[64:ff9b::7f00:1]/ https://169.254.169.254/latest/meta-data/ https://localhost/ https://metadata.google.internal/ https://10.1/ ' +
    'https://user:secret@a.example/ ftp://a.example/ file:///etc/passwd https://[fd00::1]:8443/ https://0/';
  for (const address of bad.split(' ')) {
    const asked = ports.sandbox.requests.length;
    const reply = await ports.ask(to(address));
    assert.equal(reply.tag, 'refused', address);
    assert.equal(ports.sandbox.requests.length, asked + 1, address);
    assert.doesNotMatch(JSON.stringify(reply), /secret/);
  }
});

test('a redirect from https to http is refused', async () => {
  assert.match(detailOf(await ports.ask(to('http://plain.example/'))), /https to http/);
});

test('a redirect that `mayFollow` rejects is refused', async () => {
  const mayFollow = (url: URL) => url.hostname === 'b.example';
  assert.equal((await ports.ask(to('https://b.example/'), { mayFollow })).tag, 'answer');
  const reply = await ports.ask(to('https://c.example/path?token=secret'), { mayFollow });
  assert.equal(reply.tag, 'refused');
  assert.doesNotMatch(JSON.stringify(reply), /secret/);
});

test('the number of redirects is limited; with a limit of 0 a redirect is returned as the answer', async () => {
  ports.sandbox.faults.next('https://a.example/loop', { kind: 'redirect-loop' }, Number.POSITIVE_INFINITY);
  const asked = ports.sandbox.requests.length;
  assert.equal((await ports.ask('https://a.example/loop', { redirects: 3 })).tag, 'unreachable');
  assert.equal(ports.sandbox.requests.length, asked + 4);
  const handed = answerOf(await ports.ask('https://a.example/loop', { redirects: 0 }));
  assert.deepEqual([handed.status, handed.headers.location], [302, 'https://a.example/loop']);
  ports.sandbox.faults.clear();
});

test('a redirect without a valid Location is returned as it is', async () => {
  ports.sandbox.faults.next('https://a.example/', { kind: 'status', status: 302 });
  assert.equal(answerOf(await ports.ask('https://a.example/')).status, 302);
  ports.sandbox.faults.next('https://a.example/', { kind: 'status', status: 302, headers: { location: 'https://[bad' } });
  assert.equal(answerOf(await ports.ask('https://a.example/')).status, 302);
});

test('credentials are sent to their own origin only', async () => {
  const headers = { authorization: 'Bearer secret', Cookie: 'a=secret', 'x-api-key': 'secret', accept: 'text/html', 'user-agent': 'mine' };
  await ports.ask(to('https://a.example/same'), { headers });
  assert.deepEqual(
    [last()?.headers.authorization, last()?.headers.cookie, last()?.headers['x-api-key']],
    ['Bearer secret', 'a=secret', 'secret'],
  );
  await ports.ask(to('https://b.example/other'), { headers });
  assert.doesNotMatch(JSON.stringify(last()), /secret/);
  assert.deepEqual([last()?.headers.accept, last()?.headers['user-agent']], ['text/html', 'mine']);
});

test('301, 302 and 303 change a POST to GET; 307 and 308 repeat it with its body; a body is never sent to another origin', async () => {
  const post = { method: 'POST', body: 'secret', headers: { 'content-type': 'text/plain' } } as const;
  for (const status of [301, 302, 303]) {
    await ports.ask(to('https://b.example/get', status), post);
    assert.deepEqual([last()?.method, last()?.body, last()?.headers['content-type']], ['GET', '', undefined]);
  }
  for (const status of [307, 308]) {
    await ports.ask(to('/again', status), post);
    assert.deepEqual([last()?.url.pathname, last()?.method, last()?.body], ['/again', 'POST', 'secret']);
    assert.equal((await ports.ask(to('https://b.example/', status), post)).tag, 'refused');
  }
  await ports.ask(to('/head', 303), { method: 'HEAD' });
  assert.equal(last()?.method, 'HEAD');
});
