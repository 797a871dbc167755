import { changed, found } from '../src/sources/outcome.ts';
import type { Source } from '../src/sources/source.ts';
import { jsonOf } from '../src/upstream/answer.ts';
import { resource } from './resource.ts';

/** Answers 10 kB at once, or requests it from the upstream in BENCH_UPSTREAM. */
export const benchSource: Source = {
  id: 'registration/rdap',
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  about: 'answers at once, or asks the upstream of the bench',
  open: ({ http }) => ({
    async registration({ domain }, { signal }) {
      const upstream = process.env.BENCH_UPSTREAM;
      if (!upstream) return found(resource(domain));
      const reply = await http.ask({
        url: `${upstream}/${domain}`,
        signal,
        named: true,
        pace: { key: 'bench', everyMs: 0.01, burst: 10_000 },
      });
      if (reply.tag !== 'answer') return reply;
      const body = jsonOf(reply.answer) as ReturnType<typeof resource> | undefined;
      return body ? found(body) : changed('no JSON');
    },
  }),
};

/** Limits that no bench reaches. */
export const BENCH_SETTINGS = {
  PORT: '0',
  SIGHTLINE_FREE_CREDITS: '900000000',
  SIGHTLINE_RATE_PER_SECOND: '100000',
  SIGHTLINE_RATE_BURST: '100000',
  SIGHTLINE_ADDRESS_RATE_PER_SECOND: '100000',
  SIGHTLINE_ADDRESS_BURST: '100000',
  SIGHTLINE_PACE_PER_SECOND: '1000',
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
} as const;
