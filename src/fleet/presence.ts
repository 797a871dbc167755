import { entryOf, GATEWAY_SILENT_MS, type LoadedCredentials, type Members, membersOf, NO_MEMBERS, type Part } from './member-list.ts';
import type { RedisClock } from './redis-clock.ts';
import { queueOf } from './wire/keys.ts';

export interface PresenceParts {
  readonly part: Part;
  /** What this process has loaded; each heartbeat tells it. */
  readonly credentials: () => LoadedCredentials;
  readonly newId: () => string;
  readonly redisClock: RedisClock;
  /** Time between two heartbeats. */
  readonly heartbeatMs: number;
}
/** A heartbeat and its reply: when it was sent and answered by the monotonic clock, Redis' own time (epoch ms), entries and times of all members. */
export interface Beat {
  readonly entry: string;
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly redisMs: number;
  readonly list: readonly string[];
}

/** Whether this process is a member of the fleet, and which others are, by the replies to its heartbeats. It knows neither Redis nor a timer. */
export function createPresence({ part, credentials, newId, redisClock, heartbeatMs }: PresenceParts) {
  let id = newId();
  let entry = '';
  let up = false;
  let retired = false;
  let members: Members = NO_MEMBERS;
  /** Of the last reply: by the monotonic clock, and by Redis' own. */
  let answeredAt = 0;
  let redisAt = 0;
  let upSince = 0;

  const ownEntry = (): string => entryOf(id, part, retired, queueOf(part.sources), credentials());

  /** The connection is lost: replies to the earlier id are dropped from now on. False: it was lost before. */
  function lose(): boolean {
    if (!up) return false;
    up = false;
    id = newId();
    return true;
  }

  return {
    get id() {
      return id;
    },
    get up() {
      return up;
    },
    /** The entry that is listed in Redis; empty: none. */
    get entry() {
      return entry;
    },
    get members() {
      return members;
    },
    upForMs: (monotonicMs: number): number => (up ? monotonicMs - upSince : 0),
    retire(): void {
      retired = true;
    },
    lose,
    /** What the next heartbeat lists, and the entry of an earlier id or state that it replaces; empty: none. */
    next(): { readonly entry: string; readonly previous: string } {
      const next = ownEntry();
      return { entry: next, previous: entry && entry !== next ? entry : '' };
    },
    /** `suspended`: this process stood still for so long that others took it for stopped. `joined`: it is a member from now on. */
    answered(beat: Beat): { readonly suspended: boolean; readonly joined: boolean } {
      const { sentMs, answeredMs, redisMs, list } = beat;
      entry = beat.entry;
      redisClock.measure(sentMs, answeredMs, redisMs);
      const suspended = up && answeredMs - answeredAt > GATEWAY_SILENT_MS + redisClock.slackMs() && lose();
      answeredAt = answeredMs;
      // heartbeats of others that this process could not read, because it was suspended, are not missing
      const suspendedMs = redisAt ? Math.max(0, redisMs - redisAt - heartbeatMs - redisClock.roundTripMs()) : 0;
      redisAt = redisMs;
      members = membersOf(list, redisMs, suspendedMs + redisClock.slackMs());
      // an entry of an earlier id does not join
      const joined = !up && beat.entry === ownEntry();
      if (joined) {
        up = true;
        upSince = answeredMs;
      }
      return { suspended, joined };
    },
  };
}
