import { setTimeout as sleep } from 'node:timers/promises';
import type { Gap } from './evidence.ts';
import type { Member } from './process.ts';
import type { Random } from './random.ts';
import type { Stoppable } from './servers.ts';

export interface Disturbances {
  /** Number of faults injected, by name. */
  readonly done: Record<string, number>;
  readonly redisGaps: Gap[];
  readonly postgresGaps: Gap[];
  /** Injects one fault and ends it. */
  once(): Promise<void>;
  /** Freezes a gateway for this long while other faults continue. `before` runs just before the freeze, `during` just before its end. */
  outlive(ms: number, before: (name: string) => Promise<void>, during: () => Promise<void>): Promise<void>;
}
export interface DisturbanceParts {
  readonly gateways: readonly Member[];
  readonly workers: readonly Member[];
  readonly redis: Stoppable;
  readonly postgres: Stoppable;
  readonly random: Random;
}

/** Injects every kind of fault from a shuffled list; the list is reshuffled when it is empty, so all kinds occur before one repeats. */
export function createDisturbances({ gateways, workers, redis, postgres, random }: DisturbanceParts): Disturbances {
  const done: Record<string, number> = {};
  const redisGaps: Gap[] = [];
  const postgresGaps: Gap[] = [];
  let deck: (readonly [name: string, act: () => Promise<void>])[] = [];
  /** The gateway in a long freeze, excluded from other faults. */
  let spared: Member | null = null;
  let hurt: Member | null = null;

  const count = (what: string): void => {
    done[what] = (done[what] ?? 0) + 1;
  };
  const one = async (from: readonly Member[], act: (member: Member) => Promise<void>): Promise<void> => {
    const member = random.pick(from.filter((m) => m !== spared));
    hurt = member;
    await act(member);
    hurt = null;
  };
  const restart = (how: 'kill' | 'end') => async (member: Member) => {
    await member[how]();
    await sleep(random.int(0, 600));
    await member.start();
  };
  const freeze = (ms: number) => async (member: Member) => {
    member.freeze();
    await sleep(ms);
    member.thaw();
  };
  const outage = async (gaps: Gap[], from: () => Promise<void> | void, ms: number, until: () => Promise<void> | void): Promise<void> => {
    const gap = { from: Date.now(), until: Number.POSITIVE_INFINITY };
    gaps.push(gap);
    await from();
    await sleep(ms);
    await until();
    gap.until = Date.now();
  };
  const cards = (): typeof deck => [
    ['gateway killed', () => one(gateways, restart('kill'))],
    ['gateway ended', () => one(gateways, restart('end'))],
    ['gateway frozen', () => one(gateways, freeze(random.int(300, 3_000)))],
    ['worker killed', () => one(workers, restart('kill'))],
    ['worker ended', () => one(workers, restart('end'))],
    ['worker frozen', () => one(workers, freeze(random.int(300, 2_000)))],
    ['worker frozen past its locks', () => one(workers, freeze(random.int(4_200, 4_800)))],
    ['Redis killed', () => outage(redisGaps, redis.kill, random.int(50, 800), redis.start)],
    ['Redis ended', () => outage(redisGaps, redis.end, random.int(50, 800), redis.start)],
    ['Redis frozen', () => outage(redisGaps, redis.freeze, random.int(300, 1_500), redis.thaw)],
    ['PostgreSQL killed', () => outage(postgresGaps, postgres.kill, random.int(50, 800), postgres.start)],
    ['PostgreSQL ended', () => outage(postgresGaps, postgres.end, random.int(50, 800), postgres.start)],
    ['PostgreSQL frozen', () => outage(postgresGaps, postgres.freeze, random.int(300, 2_000), postgres.thaw)],
  ];
  return {
    done,
    redisGaps,
    postgresGaps,
    async once() {
      if (!deck.length) deck = random.shuffled(cards());
      const card = deck.pop();
      if (!card) return;
      count(card[0]);
      await card[1]();
    },
    async outlive(ms, before, during) {
      const gateway = random.pick(gateways.filter((g) => g !== hurt));
      spared = gateway;
      count('gateway frozen for longer than a hold lives');
      await before(gateway.name);
      gateway.freeze();
      await sleep(ms);
      await during();
      gateway.thaw();
      spared = null;
    },
  };
}
