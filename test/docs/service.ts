import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

export interface DocumentedService {
  /** Where the commands run: a folder with everything that the repository has, and a data folder of its own. */
  readonly folder: string;
  /** The PATH with a stand-in for npx, on this Node: npx itself takes seconds a command, so that only one page waits for the real one. */
  readonly quickPath: string;
  /** The PATH with the command `sightline`, as somebody has it who installed it. */
  readonly installedPath: string;
  /** What the commands find: $BASE, $KEY and $ADMIN as the pages name them, and sources that are simulated on loopback. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The credentials that the simulated platforms accept. */
const SOURCES = {
  REDDIT_CLIENT_ID: 'demo',
  REDDIT_CLIENT_SECRET: 'demo-secret',
  X_BEARER_TOKEN: 'demo-x-token',
  DATAFORSEO_LOGIN: 'demo',
  DATAFORSEO_PASSWORD: 'demo-secret',
  SIGHTLINE_APPMARKET_SEARCH: '1',
  SIGHTLINE_APPMARKET_PACE_MS: '100',
  SIGHTLINE_PACE_PER_SECOND: '200',
};

/** The reader's PATH: without the Node that npm puts in front of it for the scripts of this package. */
const readersPath = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('node-gyp-bin'))
    .join(delimiter);

/** `sightline serve` in a temporary folder, its sources simulated on loopback. */
export async function startDocumentedService(): Promise<DocumentedService> {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const folder = mkdtempSync(join(tmpdir(), 'sightline-docs-'));
  for (const name of globSync('*').concat('.npmrc', '.ci')) symlinkSync(resolve(name), join(folder, name));
  const { HOME = folder, LANG = 'C.UTF-8' } = process.env;
  const common = {
    ...CHILD_ENVIRONMENT,
    PATH: readersPath(),
    HOME,
    LANG,
    npm_config_cache: join(folder, 'npm-cache'),
    SIGHTLINE_HOSTS: sandbox.mapFile,
    ...SOURCES,
  };
  const server = spawn(process.execPath, ['bin/sightline.mjs', 'serve', '--json', '--port', '0'], {
    cwd: folder,
    // without the random sample of captures: the pages say how many there are
    env: { ...common, SIGHTLINE_CAPTURE_SAMPLE: '0', SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000', SIGHTLINE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  const [line] = (await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), ended])) as [string];
  const { baseUrl, apiKey, admin } = JSON.parse(line) as { baseUrl: string; apiKey: string; admin: string };
  const shortcuts = join(folder, 'shortcuts');
  mkdirSync(shortcuts);
  const standIn = `#!/bin/sh
[ "$1" = sightline ] || PATH='${readersPath()}' exec npx "$@"
shift
exec '${process.execPath}' bin/sightline.mjs "$@"
`;
  writeFileSync(join(shortcuts, 'npx'), standIn, { mode: 0o755 });
  const installed = join(folder, 'installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'sightline'), `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/sightline.mjs')}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    folder,
    quickPath: `${shortcuts}${delimiter}${readersPath()}`,
    installedPath: `${installed}${delimiter}${readersPath()}`,
    environment: { ...common, BASE: baseUrl, KEY: apiKey, ADMIN: admin },
    async stop() {
      server.kill('SIGTERM');
      await ended;
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
