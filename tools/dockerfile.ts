/**
 * Runs the steps of the Dockerfile in plain directories, for machines without Docker: COPY and RUN of each stage in a separate root
 * directory, then the entry point and the health check. `node tools/dockerfile.ts`. It does not test the base image, its user and its file
 * system.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'sightline-image-'));
const lines = readFileSync('Dockerfile', 'utf8')
  .replace(/^\s*#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter(Boolean);
const environment: Record<string, string | undefined> = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
let stage = '';
let folder = '';
let entry: string[] = [];
let health: string[] = [];

/** A path of the image, below the stage's root directory. */
const at = (path: string, of = stage): string => join(root, of, path.startsWith('/') ? path : join(folder, path));
function copy(words: readonly string[]): void {
  const from = words[0]?.startsWith('--from=') ? words[0].slice(7) : null;
  const paths = from ? words.slice(1) : words;
  const to = paths.at(-1) ?? '.';
  for (const path of paths.slice(0, -1)) {
    const source = from ? join(root, from, path) : resolve(path);
    cpSync(source, to.endsWith('/') ? join(at(to), path) : at(to), { recursive: true });
  }
}
function run(command: string): void {
  // without chown, because the image's user does not exist here
  const here = command.replaceAll('/data', join(root, stage, 'data')).replace(/ && chown \S+ \S+/, '');
  console.log(`RUN ${command}`);
  const { status } = spawnSync('sh', ['-ec', here], { cwd: at('.'), env: environment, stdio: 'inherit' });
  if (status !== 0) throw new Error(`failed with ${status}: ${command}`);
}

try {
  for (const line of lines) {
    const [word = '', ...rest] = line.trim().split(/\s+/);
    const text = line.trim().slice(word.length).trim();
    if (word === 'FROM') {
      stage = rest[2] ?? 'final';
      mkdirSync(join(root, stage), { recursive: true });
    } else if (word === 'WORKDIR') {
      folder = text;
      mkdirSync(at('.'), { recursive: true });
    } else if (word === 'COPY') copy(rest);
    else if (word === 'RUN') run(text);
    else if (word === 'ENTRYPOINT') entry = JSON.parse(text) as string[];
    else if (word === 'HEALTHCHECK') health = JSON.parse(text.slice(text.indexOf('['))) as string[];
  }
  const port = '18080';
  const env = { ...environment, PORT: port, SIGHTLINE_DATA_DIR: join(root, stage, 'data'), SIGHTLINE_LOG_LEVEL: 'warn' };
  const [program = '', ...args] = entry;
  const serving = spawn(program, [...args, 'serve', '--json'], { cwd: at('.'), env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(serving.stdout, 'data');
  const check = spawnSync(health[0] ?? '', health.slice(1), { env });
  const app = await fetch(`http://127.0.0.1:${port}/console`);
  await app.arrayBuffer();
  serving.kill('SIGTERM');
  const [code] = (await once(serving, 'exit')) as [number | null];
  const after = spawnSync(health[0] ?? '', health.slice(1), { env });
  if (check.status !== 0 || app.status !== 200 || code !== 0 || after.status === 0)
    throw new Error(`health ${check.status}, console ${app.status}, exit ${code}, health afterwards ${after.status}`);
  console.log('every step ran; the entry point serves, is healthy, shows the console and ends on SIGTERM');
} finally {
  rmSync(root, { recursive: true, force: true });
}
