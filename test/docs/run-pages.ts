/**
 * Runs the code blocks of the pages that are marked `runnable`, as a reader would: with the system's Node and npm, in a folder with the
 * repository's files (those of the README in an empty one), against one service on loopback. A block marked `output` is what the block before it prints; `…` stands for any text.
 */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { EXPLORED_SEED } from '../support/seeds.ts';
import { type CodeBlock, codeBlocks } from './markdown.ts';
import { type DocumentedService, startDocumentedService } from './service.ts';

const run = promisify(execFile);
/** Ends a command that would never end. */
const BLOCK_LIMIT_MS = 240_000;
/** Pages about accounts and credits: their commands take as long as those of all others. */
export const ACCOUNT_PAGES = ['docs/authentication.md', 'docs/credits.md', 'docs/operations.md', 'docs/bulk.md'];

export const isRunnable = (block: CodeBlock): boolean => block.mark === 'runnable';
const hasPython = ((): boolean => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The program that runs a block: variables that a shell block sets are there in the next one of the same page. */
function commandOf({ language, text, line }: CodeBlock, folder: string): [string, string[]] {
  const state = join(folder, 'variables');
  if (language === 'sh')
    return ['bash', ['-c', `set -eu -o pipefail; [ ! -f ${state} ] || . ${state}; set -a\n${text}\nset +a; export -p >${state}`]];
  const file = join(folder, `${line}.${language === 'ts' ? 'mts' : 'py'}`);
  writeFileSync(file, text);
  return language === 'ts' ? [process.execPath, [file]] : ['python3', [file]];
}

/** `…` is any text, a run of blanks is one blank, and blank lines at both ends do not count. */
export function matches(documented: string, printed: string): boolean {
  const tidy = (text: string): string =>
    text
      .replaceAll('\r', '')
      .replace(/[ \t]+/g, ' ')
      .replace(/ $/gm, '')
      .trim();
  const parts = tidy(documented)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`).test(tidy(printed));
}

/** A test of each block; the blocks of a page belong together. */
export function runPages(pages: readonly string[]): void {
  describe('the commands of the pages', () => {
    let service: DocumentedService;
    before(async () => {
      service = await startDocumentedService();
    });
    after(() => service?.stop());

    for (const page of pages) {
      const all = codeBlocks(page);
      if (!all.some(isRunnable)) continue;
      test(page, async (t) => {
        const folder = join(service.folder, `.variables-of-${page.replaceAll(/\W/g, '-')}`);
        mkdirSync(join(folder, 'empty'), { recursive: true });
        // who looks for an example takes the one that fits, not those before it
        const order =
          page === 'docs/examples.md' ? fc.shuffledSubarray([...all.keys()], { minLength: all.length }) : fc.constant([...all.keys()]);
        for (const at of fc.sample(order, { numRuns: 1, seed: EXPLORED_SEED })[0] ?? []) {
          const block = all[at];
          if (!block || !isRunnable(block)) continue;
          await t.test(
            `line ${block.line}`,
            { skip: block.language === 'python' && !hasPython && 'python3 is not installed' },
            async () => {
              const [program, args] = commandOf(block, folder);
              // the README is read by who installed the command, and has no checkout: its commands run in an empty folder
              const isReadme = page === 'README.md';
              const env = { ...service.environment, PATH: isReadme ? service.installedPath : service.quickPath };
              const cwd = isReadme ? join(folder, 'empty') : service.folder;
              const { stdout } = await run(program, args, { cwd, env, timeout: BLOCK_LIMIT_MS, maxBuffer: 1 << 26 });
              const next = all[at + 1];
              if (next?.mark === 'output')
                assert.ok(matches(next.text, stdout), `the page shows\n${next.text}\nbut this was printed:\n${stdout}`);
            },
          );
        }
      });
    }
  });
}
