import { DAY_MS, nanoUsd, usdOf } from '../spending/spending.ts';
import type { Spending, SpendRule, Spent } from '../upstream/ports.ts';
import type { Fleet } from './membership.ts';
import { LUA_NOW, script } from './redis.ts';

const keyOf = (key: string): string => `sightline:paid:{${key}}`;
/** A worker's hand is so small a part of its even share of the rest. */
const HAND = 20;

/**
 * What was paid on a day, by Redis' clock. ARGV 1 to 4: day, turn, requests and nano-dollars that the asking process knows of, from which a
 * Redis that lost its data learns them again; `turn` grows with every write.
 */
const LUA_COUNT = `${LUA_NOW}
local day = math.floor(now / ${DAY_MS})
local kept = redis.call('HMGET', KEYS[1], 'day', 'turn', 'requests', 'nano', 'spent')
local turn, requests, nano, spent = 0, 0, 0, 0
if tonumber(kept[1]) == day then
  turn, requests, nano, spent = tonumber(kept[2]), tonumber(kept[3]), tonumber(kept[4]), tonumber(kept[5]) or 0
end
if tonumber(ARGV[1]) == day and tonumber(ARGV[2]) > turn then
  turn, requests, nano = tonumber(ARGV[2]), math.max(requests, tonumber(ARGV[3])), math.max(nano, tonumber(ARGV[4]))
end
local function keep()
  turn = turn + 1
  redis.call('HSET', KEYS[1], 'day', day, 'turn', turn, 'requests', string.format('%.0f', requests), 'nano', string.format('%.0f', nano),
    'spent', string.format('%.0f', spent))
  redis.call('PEXPIRE', KEYS[1], ${2 * DAY_MS})
end`;
/** ARGV 5 to 9: most requests, most nano-dollars, what this one costs, what is owed, of how many parts of the rest the hand is one (0: none). */
const takeScript = script(`${LUA_COUNT}
local most, mostNano, cost, parts = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[9])
nano = nano + tonumber(ARGV[8])
local taken, hand, handNano = 0, 0, 0
if requests < most and nano + cost <= mostNano then
  taken, requests, nano = 1, requests + 1, nano + cost
  if parts > 0 then hand, handNano = math.floor((most - requests) / parts), math.floor((mostNano - nano) / parts) end
  if hand < 1 or handNano < cost then hand, handNano = 0, 0 end
  requests, nano = requests + hand, nano + handNano
end
keep()
return {day, turn, requests, nano, spent, taken, hand, handNano}`);
/** ARGV 5 to 8: the day that is corrected, requests and nano-dollars more (or less), nano-dollars that were stated to be spent. */
const correctScript = script(`${LUA_COUNT}
if tonumber(ARGV[5]) == day then
  requests, nano, spent = math.max(0, requests + ARGV[6]), math.max(0, nano + ARGV[7]), spent + ARGV[8]
end
keep()
return {day, turn, requests, nano, spent}`);

/** What this process knows of one who is paid. */
interface Account {
  /** As Redis told it last, hands included. */
  known: { day: number; turn: number; requests: number; nano: number; spent: number };
  /** Counted as paid already, for when Redis is away; below 0 it is owed. */
  hand: { day: number; requests: number; nano: number };
  drawing: boolean;
}

export interface RedisSpending extends Spending {
  /** Gives back what is in hand. */
  close(): Promise<void>;
}

/**
 * What a whole fleet pays in a UTC day. Each worker that pays has a hand set aside beforehand, and while Redis is away spends that alone: so
 * whoever is cut off, and for however long, the caps hold. A day that begins meanwhile opens when Redis is back.
 */
export function createRedisSpending({ fleet }: { fleet: Fleet }): RedisSpending {
  const accounts = new Map<string, Account>();
  const accountOf = (key: string): Account => {
    const fresh = { known: { day: -1, turn: 0, requests: 0, nano: 0, spent: 0 }, hand: { day: -1, requests: 0, nano: 0 }, drawing: false };
    const account = accounts.get(key) ?? fresh;
    accounts.set(key, account);
    return account;
  };
  const today = (): number => Math.floor(fleet.now() / DAY_MS);
  const told = ({ known }: Account) => [known.day, known.turn, known.requests, known.nano];
  const spent = ({ known }: Account): Spent => ({
    day: known.day,
    requests: known.requests,
    usd: usdOf(known.nano),
    spentUsd: usdOf(known.spent),
  });
  /** The hand of a day; that of another day is worth nothing. */
  const handOf = (account: Account, day: number): Account['hand'] => {
    if (account.hand.day !== day) account.hand = { day, requests: 0, nano: 0 };
    return account.hand;
  };

  function learn(account: Account, [day = 0, turn = 0, requests = 0, nano = 0, spent = 0]: readonly number[]): void {
    const { known } = account;
    if (day > known.day || (day === known.day && turn > known.turn)) account.known = { day, turn, requests, nano, spent };
  }
  async function ask(account: Account, { key, maxRequests, maxUsd }: SpendRule, cost: number): Promise<number | null> {
    const { requests, nano } = handOf(account, today());
    const owed = Math.max(0, -nano);
    const draws = !account.drawing && requests === 0;
    account.hand.nano = Math.max(0, nano);
    account.drawing ||= draws;
    const limits = [Math.min(maxRequests, Number.MAX_SAFE_INTEGER), nanoUsd(maxUsd), cost, owed, draws ? HAND * fleet.workers : 0];
    const answer = (await takeScript(fleet.redis, [keyOf(key)], [...told(account), ...limits]).catch(() => null)) as number[] | null;
    if (draws) account.drawing = false;
    if (!answer) {
      account.hand.nano -= owed;
      return null;
    }
    learn(account, answer);
    const [day = 0, , , , , taken, drawn = 0, drawnNano = 0] = answer;
    const hand = handOf(account, day);
    hand.requests += drawn;
    hand.nano += drawnNano;
    return taken ? day : null;
  }
  function takeFromHand(account: Account, cost: number): number | null {
    const hand = handOf(account, today());
    if (hand.requests < 1 || hand.nano < cost) return null;
    hand.requests--;
    hand.nano -= cost;
    return hand.day;
  }
  /** False where it is not known whether it was counted. */
  async function correct(key: string, account: Account, on: number, requests: number, nano: number, spent = 0): Promise<boolean> {
    const answer = await correctScript(fleet.redis, [keyOf(key)], [...told(account), on, requests, nano, spent]).catch(() => null);
    if (answer) learn(account, answer as number[]);
    return answer !== null;
  }

  // a Redis that came back empty is told at once what each process knows
  const unwatch = fleet.watch((event) => {
    if (event === 'up') for (const [key, account] of accounts) void correct(key, account, account.known.day, 0, 0);
  });

  return {
    async take(rule, usd) {
      const account = accountOf(rule.key);
      const cost = nanoUsd(usd);
      const day = (fleet.up ? await ask(account, rule, cost) : null) ?? takeFromHand(account, cost);
      return { ...spent(account), day: day ?? today(), taken: day !== null };
    },
    async correct(key, on, moreUsd, spentUsd = 0) {
      const account = accountOf(key);
      const [more, stated] = [nanoUsd(moreUsd), nanoUsd(spentUsd)];
      if (more === 0 && stated === 0) return spent(account);
      const wasUp = fleet.up;
      const isCounted = wasUp && (await correct(key, account, on, 0, more, stated));
      // where it may have been counted it is rather counted twice than given back twice
      if (!isCounted && account.hand.day === on && (more > 0 || !wasUp)) account.hand.nano -= more;
      return spent(account);
    },
    async close() {
      unwatch();
      for (const [key, account] of accounts) {
        const { day, requests, nano } = account.hand;
        account.hand = { day: -1, requests: 0, nano: 0 };
        if (fleet.up && (requests > 0 || nano !== 0)) await correct(key, account, day, -requests, -nano);
      }
    },
  };
}
