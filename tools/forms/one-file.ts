/**
 * `npm run one-file` makes dist/sightline-linux-x64, the whole program as one executable (Node's single executable application), and its SBOM;
 * `-- --arch arm64` makes the one for arm64, on any machine. Inside are Node, and dist/app as one archive that `boot.cjs` unpacks.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { APP, filesIn, PROJECT, provideApp } from './app-folder.ts';
import { describeForm } from './checksums.ts';
import { ARCHES, type Arch, NODE_LICENSE, nodeOf } from './node-of.ts';

/** A CommonJS file on the disk imports by Node's loader, not by the executable's. */
const START = "import('./bin/sightline.mjs');\n";

interface Archive {
  /** Paths and sizes, in the order of the content. */
  readonly index: readonly (readonly [path: string, bytes: number])[];
  readonly content: Buffer;
  readonly hash: string;
}

function archiveOf(folder: string): Archive {
  const files = [
    ...filesIn(folder).map((path) => [path, readFileSync(join(folder, path))] as const),
    ['LICENSE.node', readFileSync(NODE_LICENSE)] as const,
    ['start.cjs', Buffer.from(START)] as const,
  ];
  const index = files.map(([path, bytes]) => [path, bytes.length] as const);
  const content = Buffer.concat(files.map(([, bytes]) => bytes));
  const hash = createHash('sha256').update(JSON.stringify(index)).update(content).digest('hex').slice(0, 32);
  return { index, content, hash };
}

/** The executable at `target`. */
function build(target: string, arch: Arch): void {
  const box = mkdtempSync(join(tmpdir(), 'sightline-one-file-'));
  try {
    const { index, content, hash } = archiveOf(APP);
    const asset = (name: string, bytes: string | Buffer): string => {
      writeFileSync(join(box, name), bytes);
      return join(box, name);
    };
    const assets = {
      index: asset('index', JSON.stringify(index)),
      hash: asset('hash', hash),
      files: asset('files', zstdCompressSync(content, { params: { [constants.ZSTD_c_compressionLevel]: 12 } })),
    };
    const config = {
      // its name is stored in the executable: without the folder it is the same everywhere
      main: 'boot.cjs',
      mainFormat: 'commonjs',
      executable: nodeOf(arch),
      output: join(box, 'sightline'),
      disableExperimentalSEAWarning: true,
      useCodeCache: false,
      assets,
    };
    copyFileSync(join(PROJECT, 'tools/forms/boot.cjs'), join(box, 'boot.cjs'));
    writeFileSync(join(box, 'config.json'), JSON.stringify(config));
    execFileSync(nodeOf(process.arch === 'arm64' ? 'arm64' : 'x64'), ['--build-sea', 'config.json'], {
      cwd: box,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    chmodSync(config.output, 0o755);
    execFileSync('cp', [config.output, `${target}.new`]);
    renameSync(`${target}.new`, target);
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: { arch: { type: 'string', default: process.arch }, 'keep-app': { type: 'boolean', default: false } },
});
const arch = ARCHES.find((name) => name === values.arch);
if (!arch) throw new Error(`--arch is ${values.arch}, but it must be ${ARCHES.join(' or ')}`);
provideApp(values['keep-app']);
const target = join(PROJECT, `dist/sightline-linux-${arch}`);
build(target, arch);
const sha256 = describeForm(target, arch);
console.log(`dist/sightline-linux-${arch}: ${statSync(target).size} bytes, SHA-256 ${sha256}`);
