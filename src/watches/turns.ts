import type { Clock } from '../runtime/clock.ts';
import type { Outage } from '../runtime/outage.ts';
import { repeat } from '../runtime/repeat.ts';

/** Something that waits for a place. */
export interface Waiting {
  /** While the one of an id runs no other one of that id begins. */
  readonly id: number;
  /** Null: the operator. */
  readonly account: string | null;
  /** What it would wait for: the area of a check, the host of a message. */
  readonly target: string;
}

/** How many run now. */
export interface Running {
  readonly ofAccount: number;
  readonly ofTarget: number;
  /** Of this account at this target. */
  readonly ofBoth: number;
}

export interface TurnParts<W extends Waiting> {
  readonly clock: Clock;
  /** Pause between two looks at what is due. */
  readonly pollMs: number;
  /** What is due now, the oldest first; of each account enough to fill its places. */
  readonly due: () => Promise<readonly W[]>;
  readonly mayBegin: (running: Running) => boolean;
  /** Among whom turns are taken: of these the one whose last turn is the longest ago is next. */
  readonly turnOf: (one: W) => string;
  /** Resolves when its place is free again. Does not reject. */
  readonly run: (one: W) => Promise<void>;
  /** Of the looks at what is due. */
  readonly outage: Outage;
}

const accountOf = ({ account }: Waiting): string => `account ${account}`;
const targetOf = ({ target }: Waiting): string => `target ${target}`;
const bothOf = ({ account, target }: Waiting): string => `both ${account} ${target}`;

/** Begins what is due until it is closed: as places become free, and accounts take turns at each target. */
export function startTurns<W extends Waiting>({ clock, pollMs, due, mayBegin, turnOf, run, outage }: TurnParts<W>) {
  const running = new Map<number, Promise<void>>();
  const counts = new Map<string, number>();
  /** The last turn of each, as a number that rises. */
  const turns = new Map<string, number>();
  let turn = 0;
  let waiting: W[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  /** Ends the pause: a place is free, or the work is closed. */
  let pause = new AbortController();

  const countOf = (key: string): number => counts.get(key) ?? 0;
  const runningBeside = (one: W): Running => ({
    ofAccount: countOf(accountOf(one)),
    ofTarget: countOf(targetOf(one)),
    ofBoth: countOf(bothOf(one)),
  });
  function count(one: W, by: 1 | -1): void {
    for (const key of [accountOf(one), targetOf(one), bothOf(one)]) {
      const left = countOf(key) + by;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    }
  }

  /** Of those that may begin, the one whose last turn is the longest ago. */
  function next(): W | null {
    let chosen: W | null = null;
    let since = Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      const lastTurn = turns.get(turnOf(one)) ?? 0;
      if (lastTurn >= since || running.has(one.id) || !mayBegin(runningBeside(one))) continue;
      chosen = one;
      since = lastTurn;
    }
    return chosen;
  }

  function begin(one: W): void {
    waiting = waiting.filter((each) => each !== one);
    turns.set(turnOf(one), ++turn);
    count(one, 1);
    const ended = run(one).then(() => {
      running.delete(one.id);
      count(one, -1);
      pause.abort();
    });
    running.set(one.id, ended);
  }

  async function work(closed: AbortSignal): Promise<number> {
    pause = new AbortController();
    if (waiting.length === 0 || Math.abs(clock.now() - readAt) >= pollMs) {
      readAt = clock.now();
      const found = await due();
      outage.worked();
      waiting = found.filter(({ id }) => !running.has(id));
      if (waiting.length === 0 && running.size === 0) turns.clear();
    }
    for (let one = next(); one && !closed.aborted; one = next()) begin(one);
    await clock.sleep(pollMs, pause.signal);
    return 0;
  }
  const working = repeat(clock, (closed) =>
    work(closed).catch((error: Error) => {
      outage.failed(error.message);
      return pollMs;
    }),
  );
  return {
    /** Waits for what runs. */
    async close(): Promise<void> {
      const closed = working.close();
      pause.abort();
      await closed;
      await Promise.all(running.values());
    },
  };
}
