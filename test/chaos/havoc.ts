import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnServer } from '../fleet/services.ts';
import type { Member } from './process.ts';
import type { Random } from './random.ts';

/** When a service could not be reached, epoch ms. */
export interface Gap {
  readonly from: number;
  until: number;
}
export interface Havoc {
  /** What was done, how often. */
  readonly done: Record<string, number>;
  readonly redisGaps: Gap[];
  readonly postgresGaps: Gap[];
  /** One thing goes wrong, and is mended. */
  once(): Promise<void>;
}
export interface HavocParts {
  readonly gateways: readonly Member[];
  readonly workers: readonly Member[];
  readonly redis: OwnServer;
  readonly postgres: OwnServer;
  readonly random: Random;
  /** The longest freeze, ms. */
  readonly longestMs: number;
}

/** Everything that may happen to a fleet, from a deck that is shuffled when it is empty: each thing comes before any comes twice. */
export function createHavoc({ gateways, workers, redis, postgres, random, longestMs }: HavocParts): Havoc {
  const done: Record<string, number> = {};
  const redisGaps: Gap[] = [];
  const postgresGaps: Gap[] = [];
  let deck: (readonly [name: string, act: () => Promise<void>])[] = [];

  const restart = async (member: Member, how: 'kill' | 'end'): Promise<void> => {
    await member[how]();
    await sleep(random.int(0, 800));
    await member.start();
  };
  const freeze = async (member: Member, ms: number): Promise<void> => {
    member.freeze();
    await sleep(ms);
    member.thaw();
  };
  const outage = async (server: OwnServer, gaps: Gap[], ms: number): Promise<void> => {
    const gap = { from: Date.now(), until: Number.POSITIVE_INFINITY };
    gaps.push(gap);
    await server.kill();
    await sleep(ms);
    await server.start();
    gap.until = Date.now();
  };
  const stall = async (server: OwnServer, gaps: Gap[], ms: number): Promise<void> => {
    const gap = { from: Date.now(), until: Number.POSITIVE_INFINITY };
    gaps.push(gap);
    server.freeze();
    await sleep(ms);
    server.thaw();
    gap.until = Date.now();
  };
  const cards = (): typeof deck => [
    ['gateway killed', () => restart(random.pick(gateways), 'kill')],
    ['gateway ended', () => restart(random.pick(gateways), 'end')],
    ['gateway frozen', () => freeze(random.pick(gateways), random.int(300, longestMs))],
    ['worker killed', () => restart(random.pick(workers), 'kill')],
    ['worker killed', () => restart(random.pick(workers), 'kill')],
    ['worker ended', () => restart(random.pick(workers), 'end')],
    ['worker frozen', () => freeze(random.pick(workers), random.int(300, longestMs))],
    ['worker frozen past its locks', () => freeze(random.pick(workers), 4_500)],
    ['Redis restarted', () => outage(redis, redisGaps, random.int(50, 800))],
    ['Redis frozen', () => stall(redis, redisGaps, random.int(300, 1_500))],
    ['PostgreSQL restarted', () => outage(postgres, postgresGaps, random.int(50, 1_000))],
  ];
  return {
    done,
    redisGaps,
    postgresGaps,
    async once() {
      if (!deck.length) deck = cards().sort(() => random.next() - 0.5);
      const card = deck.pop();
      if (!card) return;
      done[card[0]] = (done[card[0]] ?? 0) + 1;
      await card[1]();
    },
  };
}
