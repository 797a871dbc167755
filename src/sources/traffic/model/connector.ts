import { statSync } from 'node:fs';
import { join } from 'node:path';
import { absent, found } from '../../outcome.ts';
import { type Asks, type Ports, parse, parsersIn } from '../../source.ts';
import { estimateOf, type Ranked } from './estimate.ts';
import { openRanks } from './ranks-file.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
export const TRANCO = 'https://tranco-list.eu';
/** The operators of Tranco request a limit of about one request per second. */
export const TRANCO_PACE = { key: 'tranco-list.eu', everyMs: 1000, burst: 1 } as const;
export const ranksPath = (dataDir: string, list: Ranked['list']): string => join(dataDir, 'ranks', `${list}.db`);
/** Interval at which the file is checked for a replacement by `sightline ranks update`. */
const LOOK_AGAIN_MS = 10_000;

export function open(ports: Ports): Asks {
  const files = { tranco: keep(ports, 'tranco'), crux: keep(ports, 'crux') };
  return {
    async traffic({ domain }, attempt) {
      const atMs = ports.clock.now();
      const local = files.tranco.find(domain);
      if (local.ranked) return found(estimateOf(domain, local.ranked, atMs));
      if (!local.asked) {
        const reply = await ports.http.ask({
          url: `${TRANCO}/api/ranks/domain/${domain}`,
          headers: { accept: 'application/json' },
          pace: TRANCO_PACE,
          maxBytes: 1_000_000,
          attempt,
        });
        const outcome = await parse(ports, parser('readTranco'), reply, { domain }, attempt);
        if (outcome.tag !== 'absent') return outcome;
      }
      const bucket = files.crux.find(domain);
      if (bucket.ranked) return found(estimateOf(domain, bucket.ranked, atMs));
      const { NO_ORIGIN, NO_RANKS } = await import('./parse.ts');
      const [proof, lists] = bucket.asked ? [NO_ORIGIN, 'Tranco, CrUX'] : [NO_RANKS, 'Tranco'];
      return absent(proof, `${domain} is in none of the rank lists asked: ${lists}.`);
    },
  };
}

/** A list on disk, opened on first use and reopened after its replacement. */
function keep(ports: Ports, list: Ranked['list']) {
  const path = ranksPath(ports.settings.SIGHTLINE_DATA_DIR, list);
  let file: ReturnType<typeof openRanks> = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  const refresh = () => {
    const now = ports.clock.now();
    if (now - lookedAt < LOOK_AGAIN_MS) return;
    lookedAt = now;
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs === file?.mtimeMs) return;
    file?.close();
    try {
      file = openRanks(path);
    } catch (error) {
      file = null;
      ports.log('warn', 'the rank list on disk can not be used', { path, reason: (error as Error).message });
    }
  };
  return {
    find(domain: string): { asked: boolean; ranked: Ranked | null } {
      refresh();
      const rank = file?.rankOf(domain) ?? null;
      return { asked: file !== null, ranked: file && rank !== null ? { list, rank, date: file.header.date } : null };
    },
  };
}
