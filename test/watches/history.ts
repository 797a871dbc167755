import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HOUR_MS } from '../../src/runtime/clock.ts';

const RANKS = 100;

/** Stores a year or less of hourly checks of search results for the only watch in a folder: `checks` of them, each with a hundred ranks. */
export function storeHistory(folder: string, checks: number, nowMs: number): void {
  const db = new DatabaseSync(join(folder, 'sightline.db'));
  const { n } = db.prepare('select n from watches').get() as { n: number };
  const check = db.prepare(
    "insert into watch_checks (watch, slot, credits, outcome, source, body) values (?, ?, 1, 'changed', 'DataForSEO', ?)",
  );
  const body = db.prepare("insert into watch_bodies (watch, hash, operation, body, read_at, stripped) values (?, ?, 'serp', ?, ?, 1)");
  db.exec('begin');
  for (let i = 0; i < checks; i++) {
    const organic = Array.from({ length: RANKS }, (_, rank) => ({
      url: `https://www.sample-${rank}.example.com/${'a-long-path-of-a-page/'.repeat(4)}${(i + rank) % 977}`,
      rank: rank + 1,
    }));
    const slot = nowMs - i * HOUR_MS;
    check.run(n, slot, `hash-${i}`);
    body.run(n, `hash-${i}`, JSON.stringify({ organic }), nowMs);
  }
  db.exec('commit');
  db.close();
}
