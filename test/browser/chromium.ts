import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserServer, chromium as playwright } from 'playwright-core';

export interface Chromium {
  /** URL of its DevTools protocol, for SIGHTLINE_BROWSER_URL. */
  readonly url: string;
  /** The open tabs. */
  tabs(): Promise<{ readonly type: string; readonly url: string }[]>;
  /** Closes it normally and returns the addresses to which it connected or sent a datagram (`ip:port`). */
  close(): Promise<readonly string[]>;
}

/** Debian's headless shell, which takes a third less CPU time (its command does not pass signals on), or else the whole browser. */
const [EXECUTABLE] = [
  '/usr/lib/chromium/chromium-headless-shell',
  ...(process.env.PATH ?? '').split(delimiter).map((dir) => join(dir, 'chromium')),
].filter((file) => existsSync(file));

/** Why tests with a real browser are skipped; false if it is available or required. */
export const missing: string | false =
  EXECUTABLE || (process.env.SIGHTLINE_TEST_REQUIRE ?? '').split(',').includes('chromium') ? false : 'no chromium here';

const SWITCHES = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // text is as wide in both
  '--font-render-hinting=none',
  '--disable-quic',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // a container has 64 MB of shared memory
  '--disable-dev-shm-usage',
  '--disable-renderer-backgrounding',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--ignore-certificate-errors',
];
/** Host names of this machine's servers alone. */
const LOOPBACK = 'MAP *.localhost 127.0.0.1, MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

/** The Chromium of a run, which the runner starts: every file connects to it, and its contexts are its own. */
export const startSharedChromium = (): Promise<BrowserServer> =>
  playwright.launchServer({
    ...(EXECUTABLE && { executablePath: EXECUTABLE }),
    host: '127.0.0.1',
    ignoreDefaultArgs: true,
    args: [...SWITCHES, '--remote-debugging-pipe', `--host-resolver-rules=${LOOPBACK}`, 'about:blank'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: 60_000,
  });

/** The limit of every wait in the browser ends a test that hangs: it judges no speed, and is that of a busy machine. */
export const patient = (browser: Browser): Browser => browser.on('context', (context) => context.setDefaultTimeout(120_000));

/** A browser that knows this machine's servers alone: the one of the run, else one for this test. */
export async function openBrowser(t: TestContext): Promise<Browser> {
  const shared = process.env.SIGHTLINE_TEST_CHROMIUM;
  if (!shared) return openOwnBrowser(t);
  const browser = await playwright.connect(shared);
  t.after(() => browser.close());
  return patient(browser);
}

/** One for this test alone, because it measures it. */
export async function openOwnBrowser(t: TestContext): Promise<Browser> {
  const server = await startSharedChromium();
  t.after(() => server.close());
  return patient(await playwright.connect(server.wsEndpoint()));
}

/** A real headless Chromium with a temporary profile; `names` maps host names (`--host-resolver-rules`). */
export async function startChromium(names: string): Promise<Chromium> {
  if (!EXECUTABLE) throw new Error('there is no chromium on the PATH');
  const folder = mkdtempSync(join(tmpdir(), 'sightline-chromium-'));
  const journal = join(folder, 'net.json');
  const switches = [
    ...SWITCHES,
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    `--log-net-log=${journal}`,
    `--host-resolver-rules=${names}`,
  ];
  const child = spawn(EXECUTABLE, [...switches, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const end = async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(late);
  };
  const clean = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const url = await debuggingAddress(child.stderr);
    return {
      url,
      tabs: async () => (await (await fetch(`${url}/json/list`)).json()) as { type: string; url: string }[],
      async close() {
        await end();
        try {
          return addressesIn(readFileSync(journal, 'utf8'));
        } finally {
          clean();
        }
      },
    };
  } catch (error) {
    await end();
    clean();
    throw error;
  }
}

/** Chromium prints its port on standard error, which must be read to the end, else the process blocks. */
function debuggingAddress(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => reject(new Error(`chromium does not come up: ${said}`)), 60_000);
    output.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-10_000);
      const port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
      if (!port) return;
      clearTimeout(late);
      resolve(`http://127.0.0.1:${port}`);
    });
    output.on('end', () => {
      clearTimeout(late);
      reject(new Error(`chromium has ended: ${said}`));
    });
  });
}

interface NetEvent {
  readonly type: number;
  readonly source: { readonly id: number };
  readonly params?: { readonly address?: string };
}
/**
 * Peers in Chromium's network log: a line of constants, then one line per event; the last events may be missing after exit. A UDP socket
 * that is connected but sends nothing is only a lookup in the routing table.
 */
function addressesIn(journal: string): readonly string[] {
  const [head = '', , ...lines] = journal.split('\n').slice(0, -1);
  const { constants } = JSON.parse(`${head.replace(/,\s*$/, '')}}`) as { constants: { logEventTypes: Record<string, number> } };
  const type = constants.logEventTypes;
  for (const name of ['TCP_CONNECT_ATTEMPT', 'UDP_CONNECT', 'UDP_BYTES_SENT'])
    if (type[name] === undefined) throw new Error(`the journal knows no ${name}`);
  const events = lines.filter((line) => /^\{.*\},?$/.test(line)).map((line) => JSON.parse(line.replace(/,$/, '')) as NetEvent);
  const talkative = new Set(events.filter((e) => e.type === type.UDP_BYTES_SENT).map((e) => e.source.id));
  const reached = events.filter((e) => e.type === type.TCP_CONNECT_ATTEMPT || (e.type === type.UDP_CONNECT && talkative.has(e.source.id)));
  return [...new Set(reached.flatMap((e) => e.params?.address ?? []))];
}
