// Few in a process: it waits for servers that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newLookupPath, ServiceProcesses, SIGHTLINE, until } from '../faults/service-process.ts';
import { CERTIFICATE, KEY } from './certificate.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

const PASSWORD = 'a-secret-of-redis';
const processes = new ServiceProcesses();
const servers: OwnServer[] = [];
const folder = mkdtempSync(join(tmpdir(), 'sightline-redis-'));
after(async () => {
  await processes.close();
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('Redis behind TLS and a password: used if its certificate is trusted, refused otherwise, and the password is never shown', {
  skip: missing('redis'),
}, async () => {
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificateFile, CERTIFICATE);
  writeFileSync(keyFile, KEY);
  const redis = await startRedis({ tls: { certificateFile, keyFile, password: PASSWORD } });
  servers.push(redis);

  const served = await processes.serve(processes.folder(), { REDIS_URL: redis.url, NODE_EXTRA_CA_CERTS: certificateFile });
  const path = newLookupPath();
  await until('a worker is seen', async () => (await served.get(path)).status === 200);
  assert.match((await served.get(path)).headers.get('cache-status') ?? '', /; hit/);
  assert.equal(await processes.end(served), 0);
  assert.doesNotMatch(served.log(), new RegExp(PASSWORD));

  const stranger = processes.child([...SIGHTLINE, 'serve', '--json'], {
    PORT: '0',
    SIGHTLINE_DATA_DIR: processes.folder(),
    REDIS_URL: redis.url,
  });
  let said = '';
  for (const stream of [stranger.stdout, stranger.stderr])
    stream?.on('data', (data: Buffer) => {
      said += data;
    });
  const [code] = await once(stranger, 'exit');
  assert.equal(code, 1);
  assert.match(said, /REDIS_URL/);
  assert.match(said, /self-signed certificate/);
  assert.doesNotMatch(said, new RegExp(PASSWORD));
});
