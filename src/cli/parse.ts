import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { codeOf, invalid } from '../contract/errors.ts';
import type { Input } from '../contract/operations/index.ts';
import { thereIsNo } from '../contract/parameters/misspelt.ts';
import { unreadFile } from '../runtime/unread-file.ts';
import { READERS, readerOf } from '../sources/index.ts';
import { errorOf, type Outcome } from '../sources/outcome.ts';

type Line = Readonly<Partial<Record<'id' | 'reader' | 'body' | 'status' | 'headers' | 'url' | 'input', unknown>>>;

/** Parses one recorded answer with the reader that the line names. Throws if the line is invalid. */
async function readLine(line: Line, nowMs: number): Promise<Outcome> {
  const name = String(line.reader);
  const entry = readerOf(name);
  if (!entry) throw invalid(thereIsNo('reader', name, Object.keys(READERS)));
  if (typeof line.body !== 'string') throw invalid('body must be the path of a file.');
  const { body: file } = line;
  const body = await readFile(file).catch((error: unknown) => {
    throw invalid(`${unreadFile(file, error)}.`);
  });
  const read = await entry.load();
  const status = typeof line.status === 'number' ? line.status : 200;
  const url = typeof line.url === 'string' ? line.url : '';
  const headers = (line.headers ?? {}) as Record<string, string>;
  return read({ status, headers, body, url, atMs: nowMs }, (line.input ?? {}) as Input);
}

/** `sightline parse --ndjson`: reads one line per recorded answer and writes one line per outcome, in the same order. */
export async function parseNdjson(
  input: NodeJS.ReadableStream,
  write: (line: string) => void,
  now: () => number,
  why = false,
): Promise<number> {
  let faults = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (text.trim() === '') continue;
    let id: unknown = null;
    try {
      const line = JSON.parse(text) as Line;
      id = line.id ?? null;
      const outcome = await readLine(line, now());
      const error = errorOf[outcome.tag];
      write(
        JSON.stringify({
          id,
          outcome: outcome.tag,
          code: error && codeOf(error),
          resource: outcome.tag === 'found' ? outcome.resource : null,
          unread: (outcome.tag === 'found' && outcome.unread) || [],
          ...(why && outcome.tag !== 'found' && { what: outcome.what, detail: outcome.detail }),
        }),
      );
    } catch (error) {
      faults++;
      write(JSON.stringify({ id, outcome: 'error', code: 'INVALID_REQUEST', resource: null, what: (error as Error).message }));
    }
  }
  return faults;
}
