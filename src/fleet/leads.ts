import type { Clock } from '../runtime/clock.ts';
import { repeat } from '../runtime/repeat.ts';
import { ENDED, placeOf } from './cache-codec.ts';
import type { Fleet } from './membership.ts';
import { script } from './redis.ts';

/** A leadership expires after this unless it is renewed; then another gateway leads. */
export const LEAD_MS = 3_000;
const RENEW_MS = 1_000;
/** How long an ended leadership is recorded: longer than a lookup takes from its read of the cache to its claim. */
const ENDED_MS = 5_000;

const claimScript = script('lead-claim');
const renewScript = script('lead-renew');
/** Renews a leadership, if the token still holds it. A failure is repaired by the next renewal. */
export const renewLead = ({ redis }: Fleet, [key, token]: readonly [key: string, token: string]): void =>
  void renewScript(redis, [key], [token, LEAD_MS]).catch(() => undefined);
const endScript = script('lead-end');
const OTHER_LEADS = 0;
const CLAIMED = 1;

/** How a leadership ends in Redis: key, token, the message for the followers and how long the end is recorded. */
export interface LeadEnd {
  readonly key: string;
  readonly args: readonly [token: string, message: Buffer, endedMs: number];
}
interface Held {
  readonly token: string;
  readonly sinceMs: number;
  /** False for a claim that was made together with a read of the cache, until the lookup takes it. */
  isTaken: boolean;
  store: ((end: LeadEnd) => void) | null;
}

export type Leads = ReturnType<typeof createLeads>;

/** Leaderships of coalesced lookups that this process holds, by cache key. */
export function createLeads({ fleet, clock }: { fleet: Fleet; clock: Clock }) {
  const held = new Map<string, Held>();
  let count = 0;

  const newToken = (): string => `${fleet.id}/${count++}`;
  const add = (cacheKey: string, token: string, isTaken: boolean): void =>
    void held.set(cacheKey, { token, sinceMs: clock.now(), isTaken, store: null });
  function end(cacheKey: string, message: Buffer): void {
    const lead = held.get(cacheKey);
    if (!lead) return;
    held.delete(cacheKey);
    // a leadership that could not be ended expires
    if (!fleet.up) return;
    const { lead: key } = placeOf(cacheKey);
    const args = [lead.token, message, ENDED_MS] as const;
    if (lead.store) lead.store({ key, args });
    else endScript(fleet.redis, [key], args).catch(() => undefined);
  }

  const renewing = repeat(clock, async () => {
    for (const [cacheKey, { token, sinceMs }] of fleet.up ? held : [])
      if (clock.now() - sinceMs >= RENEW_MS) renewLead(fleet, [placeOf(cacheKey).lead, token]);
    return RENEW_MS;
  });

  return {
    newToken,
    holds: (cacheKey: string): boolean => held.has(cacheKey),
    /** Key and token in Redis; null: this process does not lead. */
    of(cacheKey: string) {
      const lead = held.get(cacheKey);
      return lead ? ([placeOf(cacheKey).lead, lead.token] as const) : null;
    },
    /** Keeps a claim that `cache-claim.lua` made. It is given up unless `take` is called in this turn of the event loop. */
    keep(cacheKey: string, token: string): void {
      add(cacheKey, token, false);
      setImmediate(() => {
        const lead = held.get(cacheKey);
        if (lead?.token === token && !lead.isTaken) end(cacheKey, ENDED);
      });
    },
    take(cacheKey: string): boolean {
      const lead = held.get(cacheKey);
      if (!lead || lead.isTaken) return false;
      lead.isTaken = true;
      return true;
    },
    /** Claims a leadership. `again`: another lookup for the key ended recently. */
    async claim(cacheKey: string): Promise<'claimed' | 'again' | 'other leads'> {
      const token = newToken();
      const result = await claimScript(fleet.redis, [placeOf(cacheKey).lead], [token, LEAD_MS]);
      if (result === OTHER_LEADS) return 'other leads';
      add(cacheKey, token, true);
      return result === CLAIMED ? 'claimed' : 'again';
    },
    /** Called with the end of a leadership that is held, to store an answer by the same command. False: not held, so store it now. */
    storeAtEnd(cacheKey: string, store: (end: LeadEnd) => void): boolean {
      const lead = held.get(cacheKey);
      if (!lead?.isTaken) return false;
      lead.store = store;
      return true;
    },
    end,
    close: renewing.close,
  };
}
