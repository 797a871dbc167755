import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccounts } from '../src/accounts/accounts.ts';
import { realClock } from '../src/runtime/clock.ts';
import { readSettings } from '../src/settings.ts';
import { cpuRounds, onlyServer } from './cpu.ts';
import { load, startServer, withServers } from './load.ts';
import { atMost, interleaved, median, type Row } from './measure.ts';

const PATH = '/v1/website/whois/domains/bench-hit.com';
const BASE = 'http://127.0.0.1';
const CALLS = 20_000;

/** CPU time, µs, of the server per metered cache hit of 10 kB at 50 connections. */
const hitMicros = (): Promise<number> =>
  withServers({ house: startServer('house') }, async ({ house }) => {
    const { hit } = await cpuRounds({ hit: { load: () => load(house, PATH), processes: onlyServer(house) } }, 5);
    return median(hit.micros);
  });

/** Cost of authentication relative to a complete cache hit. */
export async function suite(): Promise<Row[]> {
  const hit = await hitMicros();
  const folder = mkdtempSync(join(tmpdir(), 'bench-auth-'));
  const settings = readSettings({ SIGHTLINE_DATA_DIR: folder });
  const accounts = await openAccounts({ settings, clock: realClock, log: () => {}, baseUrl: () => BASE });
  try {
    const first = await accounts.admin.ensureFirstAccount();
    const { clientId, clientSecret } = await accounts.admin.createClient({});
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
    const request = { authorization: undefined, contentType: 'application/x-www-form-urlencoded', body: form.toString() };
    const granted = await accounts.oauth.token(request);
    if (!first || !granted.ok) throw new Error('no credentials');
    const token = granted.body.access_token;
    for (const credential of [first.key, token])
      if (!(await accounts.authenticate(credential, Date.now())).ok) throw new Error('a good credential is refused');
    const connection = {};
    const many = (credential: string) => () => {
      const now = Date.now();
      for (let i = 0; i < CALLS; i++) if (!accounts.authenticateCached(credential, now, connection)) throw new Error('not kept');
    };
    // each request delivers the header as a new flat string, so the authentication cache must not depend on string identity
    const anew = (credential: string) => Buffer.from(credential).toString('latin1');
    const times = await interleaved({ key: many(anew(first.key)), jwt: many(anew(token)) }, 30);
    const [ROUNDS, WARM_UP] = [300, 75];
    const unseen: string[] = [];
    while (unseen.length < ROUNDS + WARM_UP) {
      const next = await accounts.oauth.token(request);
      if (next.ok) unseen.push(next.body.access_token);
    }
    const verify = () => accounts.authenticate(unseen.pop() ?? '', Date.now());
    const fresh = await interleaved({ verify }, ROUNDS, WARM_UP);
    const [key, jwt] = [(times.key * 1000) / CALLS, (times.jwt * 1000) / CALLS];
    const micros = (n: number) => `${n.toFixed(2)} µs`;
    return [
      atMost("key check against a cache hit's time", key / hit, 0.05, `${micros(key)} of ${micros(hit)}`),
      atMost(
        "access token with kept verification against a cache hit's time",
        jwt / hit,
        0.08,
        `${micros(jwt)} of ${micros(hit)}; a token seen first: ${micros(fresh.verify * 1000)}`,
      ),
    ];
  } finally {
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
