import type { Clock } from '../runtime/clock.ts';
import { repeat } from '../runtime/repeat.ts';
import { channelOf } from './channels.ts';
import type { Fleet } from './membership.ts';
import { placeOf } from './wire/keys.ts';
import { script } from './wire/scripts.ts';

/** A leadership expires after this unless it is renewed; then another gateway leads. */
export const LEAD_MS = 3_000;
const RENEW_MS = 1_000;
/** How long an ended leadership is recorded: longer than a lookup takes from its read of the cache to its claim. */
const ENDED_MS = 5_000;

const claimScript = script('lead-claim');
const renewScript = script('lead-renew');
/** Renews a leadership, if the token still holds it. A failure is repaired by the next renewal. */
export const renewLead = ({ redis }: Fleet, [lead, token]: readonly [key: string, token: string]): void =>
  void renewScript(redis, { lead }, { token, leadMs: LEAD_MS }).catch(() => undefined);
const endScript = script('lead-end');
const OTHER_LEADS = 0;
const CLAIMED = 1;

/** How a leadership ends in Redis. */
export interface LeadEnd {
  readonly token: string;
  /** Of the followers, and what they are told. */
  readonly channel: string;
  readonly message: Buffer;
  readonly endedMs: number;
}
interface Held {
  readonly token: string;
  readonly sinceMs: number;
}

export type Leads = ReturnType<typeof createLeads>;

/** Leaderships of coalesced lookups that this process holds, by cache key. */
export function createLeads({ fleet, clock }: { fleet: Fleet; clock: Clock }) {
  const held = new Map<string, Held>();
  let count = 0;

  const newToken = (): string => `${fleet.id}/${count++}`;
  const hold = (cacheKey: string, token: string): void => void held.set(cacheKey, { token, sinceMs: clock.now() });
  /** Forgets a leadership; how it is ended in Redis, or null where that is not possible: then it expires. */
  function release(cacheKey: string, message: Buffer): LeadEnd | null {
    const lead = held.get(cacheKey);
    held.delete(cacheKey);
    const channel = channelOf(fleet.redis, placeOf(cacheKey).lead);
    return lead && fleet.up ? { token: lead.token, channel, message, endedMs: ENDED_MS } : null;
  }

  const renewing = repeat(clock, async () => {
    for (const [cacheKey, { token, sinceMs }] of fleet.up ? held : [])
      if (clock.now() - sinceMs >= RENEW_MS) renewLead(fleet, [placeOf(cacheKey).lead, token]);
    return RENEW_MS;
  });

  return {
    newToken,
    hold,
    release,
    /** Key and token in Redis; null: this process does not lead. */
    of(cacheKey: string) {
      const lead = held.get(cacheKey);
      return lead ? ([placeOf(cacheKey).lead, lead.token] as const) : null;
    },
    /** Claims a leadership. `again`: another lookup for the key ended recently. */
    async claim(cacheKey: string): Promise<'claimed' | 'again' | 'other leads'> {
      const token = newToken();
      const result = await claimScript(fleet.redis, { lead: placeOf(cacheKey).lead }, { token, leadMs: LEAD_MS });
      if (result === OTHER_LEADS) return 'other leads';
      hold(cacheKey, token);
      return result === CLAIMED ? 'claimed' : 'again';
    },
    /** Ends a leadership. */
    end(cacheKey: string, message: Buffer): void {
      const end = release(cacheKey, message);
      // one that could not be ended expires
      if (end) endScript(fleet.redis, { lead: placeOf(cacheKey).lead }, { ...end }).catch(() => undefined);
    },
    close: renewing.close,
  };
}
