import { renameSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** What a rank list is: a SQLite file with a row a domain, which is searched on disk. */
export interface RankHeader {
  readonly list: 'tranco' | 'crux';
  readonly date: string;
  readonly id: string;
}

const CREATE = `PRAGMA journal_mode = OFF; PRAGMA cache_size = -500000;
  CREATE TABLE header (json TEXT NOT NULL) STRICT;
  CREATE TABLE ranks (domain TEXT PRIMARY KEY, rank INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  BEGIN`;

/** Writes the list to a temporary file and renames it once `rows` has ended without an error. The best rank of a domain counts. */
export function writeRanks(path: string, header: RankHeader, rows: Iterable<readonly [domain: string, rank: number]>): number {
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  const file = new DatabaseSync(draft);
  try {
    file.exec(CREATE);
    const insert = file.prepare('INSERT INTO ranks VALUES (?, ?) ON CONFLICT DO UPDATE SET rank = min(rank, excluded.rank)');
    let n = 0;
    for (const [domain, rank] of rows) {
      insert.run(domain, rank);
      n++;
    }
    file.prepare('INSERT INTO header VALUES (?)').run(JSON.stringify(header));
    file.exec('COMMIT');
    file.close();
    renameSync(draft, path);
    return n;
  } catch (error) {
    if (file.isOpen) file.close();
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Opens a list; null if the file does not exist. Throws if the file is not a rank list. */
export function openRanks(path: string) {
  const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (mtimeMs === undefined) return null;
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const header: RankHeader = JSON.parse(String(file.prepare('SELECT json FROM header').get()?.json));
    const find = file.prepare('SELECT rank FROM ranks WHERE domain = ?');
    const rankOf = (domain: string): number | null => {
      const rank = find.get(domain)?.rank;
      return typeof rank === 'number' ? rank : null;
    };
    return { header, mtimeMs, rankOf, close: () => file.close() };
  } catch (error) {
    file.close();
    throw new Error(`${path} is no rank list: run \`sightline ranks update\` again`, { cause: error });
  }
}
