/** Our readers of result pages beside the engines of an instance of SearXNG. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { READERS } from '../src/sources/index.ts';
import { own } from './adapters.ts';
import type { ListReader } from './lists.ts';
import type { Entry, PageRow } from './search-pages.ts';

type PageReader = ListReader<PageRow, readonly Entry[]>;
const sightline: PageReader = {
  name: 'Sightline',
  version: own.version,
  note: '',
  readAll: (rows) =>
    Promise.all(
      rows.map(async ({ engine, url, status, input, body }) => {
        const read = await READERS[`serp/${engine}-page`]?.load();
        const headers = { 'content-type': 'text/html; charset=utf-8' };
        const outcome = read?.({ status, headers, body, url, atMs: Date.UTC(2026, 10, 26) }, input as never); // the input is that of the row's reader
        if (outcome?.tag !== 'found') return null;
        const { organic } = outcome.resource as unknown as { readonly organic: readonly Entry[] };
        return organic.length > 0 ? { values: organic } : 'nothing';
      }),
    ),
};

const PYTHON = '/usr/bin/python3';
const SCRIPT = join(import.meta.dirname, 'searx-engines.py');
interface FromSearx {
  readonly error?: string;
  readonly results?: readonly Entry[];
}
/** What the engines say of pages, by Debian's package searx; null where it is not installed. */
function runSearx(rows: readonly PageRow[]): { readonly version: string; readonly answers: readonly FromSearx[] } | null {
  const input = rows
    .map(({ engine, url, status, body }) => `${JSON.stringify({ engine, url, status, body: body.toString('utf8') })}\n`)
    .join('');
  const { status, stdout, stderr } = spawnSync(PYTHON, [SCRIPT], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 3) return null;
  if (status !== 0) throw new Error(`${SCRIPT}: ${stderr}`);
  const [version = '', ...answers] = stdout.trim().split('\n');
  return { version, answers: answers.map((line): FromSearx => JSON.parse(line)) };
}
export function searxReader(): PageReader | null {
  const tried = runSearx([]);
  if (tried === null) return null;
  return {
    name: 'SearXNG’s engines',
    version: `(searx ${tried.version} of Debian)`,
    note: 'are those of early 2022, the newest that Debian has: no recorded page of Google has the class names that its engine looks for, so that its rows for Google say how old the package is, not how a current instance reads. An engine gives an empty list for what it does not know, and an instance shows that as nothing found',
    async readAll(rows) {
      return (runSearx(rows)?.answers ?? []).map(({ error, results = [] }) =>
        error !== undefined ? null : results.length > 0 ? { values: results } : 'nothing',
      );
    },
  };
}
export const pageReaders = (): readonly PageReader[] => [sightline, searxReader()].filter((reader) => reader !== null);
