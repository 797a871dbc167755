import pg from 'pg';
import { Compile } from 'typebox/compile';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import type { Gap } from './havoc.ts';
import type { Account, Told } from './load.ts';
import type { Seen } from './platforms.ts';
import type { Member } from './process.ts';

/** A capture follows the last byte of its answer by less than this, where the store is there. */
const FLUSH_MS = 2_000;
/** A connection that is closed is seen by the other side after this at most. */
const SEEN_MS = 150;
/** How much later than its turn a request may come at the platform. */
const LATE_MS = 50;
/** How long a loss of Redis takes to be noticed everywhere (a frozen one is told from a slow one by then). */
const NOTICED_MS = 1_500;

export interface Evidence {
  readonly told: readonly Told[];
  readonly seen: readonly Seen[];
  readonly members: readonly Member[];
  readonly redisGaps: readonly Gap[];
  readonly postgresGaps: readonly Gap[];
  readonly accounts: readonly Account[];
  readonly databaseUrl: string;
}
export interface Verdict {
  readonly violations: readonly string[];
  readonly figures: Record<string, number>;
}

/** What the platforms allow: requests at once and time between two, by host. */
const PACES: readonly (readonly [host: RegExp, everyMs: number, burst: number])[] = [
  [/^api\.dataforseo\.com$/, 40, 30],
  [/rdap|^data\.iana\.org$/, 250, 4],
];

export async function check(evidence: Evidence): Promise<Verdict> {
  const violations: string[] = [];
  const figures: Record<string, number> = {};
  const count = (what: string): void => {
    figures[what] = (figures[what] ?? 0) + 1;
  };
  answers(evidence, violations, count);
  await money(evidence, violations, count, figures);
  overlaps(evidence, violations, count);
  paces(evidence, violations, figures);
  // a fleet that answers nothing breaks no rule
  if ((figures['captured answers'] ?? 0) < evidence.told.length / 5)
    violations.push(`only ${figures['captured answers'] ?? 0} answers were sold`);
  return { violations, figures };
}

const killedIn = (told: Told, until = told.until): boolean =>
  told.gateway.outages.some((o) => o.kind !== 'frozen' && o.from <= until + SEEN_MS && o.until >= told.from);

const validators = {
  serp: Compile(OPERATIONS.serp.resource),
  registration: Compile(OPERATIONS.registration.resource),
};
/** Found, out of credits, too many, the source failed, the store is away or the gateway ends. Anything else is a fault of ours. */
const EXPECTED: ReadonlySet<number> = new Set([200, 402, 429, 502, 503]);
const STATUS_OF = new Map(Object.entries(ERRORS).map(([name, { status }]) => [codeOf(name as ErrorName), status as number]));

/** Every request got one answer of the contract, unless its gateway was ended under it. */
function answers({ told }: Evidence, violations: string[], count: (what: string) => void): void {
  for (const t of told) {
    if (t.error !== null || t.status === null || t.body === null) {
      if (killedIn(t)) count('requests open when their gateway ended');
      else violations.push(`${t.id}: no answer (${t.error}) of ${t.gateway.name}, which ran`);
      continue;
    }
    count(`status ${t.status}`);
    if (!EXPECTED.has(t.status)) violations.push(`${t.id}: ${t.status} is no answer to this: ${t.body.slice(0, 200)}`);
    const fault = faultOf(t, t.status, t.body);
    if (fault) violations.push(`${t.id}: ${t.status} ${fault}: ${t.body.slice(0, 200)}`);
  }
}
function faultOf(t: Told, status: number, text: string): string | null {
  if (t.headers['x-request-id'] !== t.id) return 'of another request';
  const body = JSON.parse(text) as { error?: { code: string; message: string }; keyword?: string; domain?: string };
  if (status === 200) {
    if (!validators[t.operation].Check(body)) return 'not of the contract';
    const asked = decodeURIComponent(t.path.replace(/^.*[=/]/, '').replaceAll('+', ' '));
    return (body.keyword ?? body.domain) === asked ? null : 'answers another question';
  }
  if (!body.error || Object.keys(body).length !== 1 || Object.keys(body.error).sort().join() !== 'code,message') return 'not an error body';
  if (STATUS_OF.get(body.error.code) !== status) return 'code and status differ';
  return t.headers['x-credits-charged'] === undefined || t.headers['x-credits-charged'] === '0' ? null : 'charged';
}

interface Entry {
  readonly account_id: string;
  readonly kind: string;
  readonly credits: string;
  readonly hold: string;
  readonly label: string;
}

/** Every capture belongs to one whole 200, and every 200 that says so is captured, but for those a kill took; sums are right. */
async function money(e: Evidence, violations: string[], count: (what: string) => void, figures: Record<string, number>): Promise<void> {
  const client = new pg.Client({ connectionString: e.databaseUrl });
  await client.connect();
  const entries = (await client.query<Entry>('select account_id, kind, credits, hold, label from entries')).rows;
  const balances = (await client.query<{ account_id: string; balance: string; held: string }>('select * from balances')).rows;
  await client.end();

  const labels = new Map(entries.filter((x) => x.kind === 'hold').map((x) => [`${x.account_id} ${x.hold}`, x.label]));
  const captured = new Map<string, number>();
  const given = new Set<string>();
  for (const entry of entries) {
    const label = labels.get(`${entry.account_id} ${entry.hold}`) ?? '';
    if (entry.kind === 'expire' || entry.kind === 'release') given.add(label);
    if (entry.kind !== 'capture') continue;
    if (captured.has(label)) violations.push(`${label}: captured twice`);
    captured.set(label, -Number(entry.credits));
  }
  const byId = new Map(e.told.map((t) => [t.id, t]));
  for (const [label, credits] of captured) {
    const t = byId.get(label);
    const whole = t?.status === 200 && t.error === null;
    if (!whole) violations.push(`${label}: ${credits} captured, but its answer was ${t?.status ?? t?.error ?? 'nobody’s'}`);
    else if (t.headers['x-credits-charged'] !== String(credits))
      violations.push(`${label}: ${credits} captured, ${t.headers['x-credits-charged']} said`);
  }
  for (const t of e.told) {
    if (t.status !== 200 || t.error !== null) continue;
    const charged = Number(t.headers['x-credits-charged'] ?? 'NaN');
    const free = /; hit|collapsed|; fwd=stale/.test(t.headers['cache-status'] ?? '');
    if (charged === 0) {
      if (free) count('free answers');
      else violations.push(`${t.id}: a lookup of its own, and free: ${t.headers['cache-status']}`);
    } else if (captured.has(t.id)) count('captured answers');
    else if (given.has(t.id)) violations.push(`${t.id}: sent on a hold that was over`);
    else if (takenByKill(t, e.postgresGaps)) count('answers whose capture a kill took');
    else violations.push(`${t.id}: charged ${charged}, not captured, and no kill near`);
  }
  for (const account of e.accounts) {
    const own = entries.filter((x) => x.account_id === account.accountId);
    const sum = own.reduce((total, x) => total + Number(x.credits), 0);
    const row = balances.find((b) => b.account_id === account.accountId);
    const [balance, held] = [Number(row?.balance), Number(row?.held)];
    if (balance + held !== sum) violations.push(`${account.accountId}: balance ${balance} + held ${held}, entries say ${sum}`);
    if (balance < 0) violations.push(`${account.accountId}: balance ${balance}`);
    figures['credits held at the end'] = (figures['credits held at the end'] ?? 0) + held;
  }
}
/** The gateway ended after the last byte and before the flush that would have taken the capture, which waits while the store is away. */
function takenByKill(t: Told, gaps: readonly Gap[]): boolean {
  let until = t.until + FLUSH_MS;
  for (const gap of gaps) if (gap.from <= until && gap.until >= t.until - FLUSH_MS) until = Math.max(until, gap.until + FLUSH_MS);
  for (const o of t.gateway.outages) if (o.kind === 'frozen' && o.from <= until && o.until >= t.until) until = o.until + FLUSH_MS;
  return t.gateway.outages.some((o) => o.kind !== 'frozen' && o.from >= t.from && o.from <= until);
}

/** No two upstream requests for one question at one time, but where the first one's process could not know that it lost it. */
function overlaps({ seen, members, redisGaps }: Evidence, violations: string[], count: (what: string) => void): void {
  const byQuestion = Map.groupBy(seen, (s) => s.question);
  for (const [question, those] of byQuestion) {
    const sorted = [...those].sort((a, b) => a.from - b.from);
    for (const [i, first] of sorted.entries()) {
      for (const second of sorted.slice(i + 1)) {
        if (second.from >= first.until - SEEN_MS) continue;
        if (/iana|chaos-\d+\./.test(question) === false && !question.includes('dataforseo')) continue;
        if (question.includes('data.iana.org')) continue; // each worker reads the list for itself
        const outages = members.find((m) => m.name === first.member)?.outages ?? [];
        const near = (from: number, until: number) => from <= second.from + SEEN_MS && until + NOTICED_MS >= first.from;
        const excused = outages.some((o) => near(o.from, o.until)) || redisGaps.some((g) => near(g.from, g.until));
        if (excused) count('requests taken over while the first still ran');
        else violations.push(`${question}: asked by ${first.member} and, ${second.from - first.from} ms later, by ${second.member}`);
      }
    }
  }
}

/** In no sliding second more requests came to a host than its pace allows. */
function paces({ seen, members }: Evidence, violations: string[], figures: Record<string, number>): void {
  for (const [host, those] of Map.groupBy(seen, (s) => s.host)) {
    const [, everyMs, burst] = PACES.find(([pattern]) => pattern.test(host)) ?? [];
    if (everyMs === undefined || burst === undefined) continue;
    const allowed = burst + Math.ceil((1_000 + LATE_MS) / everyMs);
    const times = those.map((s) => s.from).sort((a, b) => a - b);
    let [most, at] = [0, 0];
    for (let i = 0, j = 0; i < times.length; i++) {
      while ((times[j] ?? 0) <= (times[i] ?? 0) - 1_000) j++;
      if (i - j + 1 > most) [most, at] = [i - j + 1, times[i] ?? 0];
    }
    // what a process had in hand when it was frozen comes when it is thawed
    const thawed = members.filter((m) => m.outages.some((o) => o.kind === 'frozen' && o.until > at - 1_500 && o.until < at + 100)).length;
    figures[`most requests to ${host} in a second (allowed ${allowed})`] = most;
    if (most > allowed + thawed) violations.push(`${host}: ${most} requests in a second, ${allowed} are allowed`);
  }
}
