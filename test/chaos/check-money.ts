import { type Entry, type Evidence, type Findings, type Gap, lagOf, meet, type Told } from './evidence.ts';

/**
 * Longest time from the last byte to the capture without a disturbance. The window allowed before a kill is derived from the run itself.
 */
const LONGEST_FLUSH_MS = 2_000;
/** PostgreSQL ends the transaction of a gateway that was frozen within it after 2 s: until then the others wait for its locks. */
const LOCKED_MS = 2_000;
const SHORTEST_WINDOW_MS = 100;
/** After the store returns, connections are reopened, each with a timeout of 2 s. */
const RECOVERY_MS = 2_500;
/** Transfer time between two processes of one machine. */
const WAY_MS = 50;

/** What the ledger recorded for one request. */
interface Deal {
  heldAt: number;
  capturedAt: number | null;
  captured: number;
  releasedAt: number | null;
  expiredAt: number | null;
}

/** Every capture belongs to one complete 200, and every charged 200 is captured, except where a kill lost the capture; sums are right. */
export function checkMoney(evidence: Evidence, findings: Findings): void {
  const deals = dealsOf(evidence.ledgerRows.entries, findings);
  captures(evidence, deals, findings);
  const windowMs = flushWindow(evidence, deals, findings);
  const caught = new Set<Gap>();
  for (const t of evidence.told) if (t.status === 200 && t.error === null) sold(evidence, t, deals.get(t.id), windowMs, caught, findings);
  outlived(evidence, deals, findings);
  sums(evidence, findings);
}

function dealsOf(entries: readonly Entry[], { violations }: Findings): Map<string, Deal> {
  const labels = new Map(entries.filter((e) => e.kind === 'hold').map((e) => [`${e.account} ${e.hold}`, e.label]));
  const deals = new Map<string, Deal>();
  for (const { account, kind, credits, hold, at } of entries) {
    if (kind === 'grant') continue;
    const label = labels.get(`${account} ${hold}`);
    if (label === undefined) {
      violations.push(`${account}: ${kind} of ${credits} without a hold`);
      continue;
    }
    const deal = deals.get(label) ?? { heldAt: at, capturedAt: null, captured: 0, releasedAt: null, expiredAt: null };
    deals.set(label, deal);
    if (kind === 'hold') deal.heldAt = Math.min(deal.heldAt, at);
    if (kind === 'release') deal.releasedAt = at;
    if (kind === 'expire') deal.expiredAt = at;
    if (kind !== 'capture' && credits !== 0) violations.push(`${label}: ${kind} of ${credits} credits`);
    if (kind !== 'capture') continue;
    if (deal.capturedAt !== null) violations.push(`${label}: captured twice`);
    deal.capturedAt = at;
    deal.captured -= credits;
  }
  return deals;
}

function captures({ told }: Evidence, deals: ReadonlyMap<string, Deal>, { violations }: Findings): void {
  const byId = new Map(told.map((t) => [t.id, t]));
  for (const [label, { capturedAt, captured }] of deals) {
    if (capturedAt === null) continue;
    const t = byId.get(label);
    if (t?.status !== 200 || t.error !== null)
      violations.push(`${label}: ${captured} captured, but its answer was ${t ? (t.error ?? t.status) : 'nobody’s'}`);
    else if (t.headers['x-credits-charged'] !== String(captured))
      violations.push(`${label}: ${captured} captured, ${t.headers['x-credits-charged']} said`);
    else if (capturedAt < t.from) violations.push(`${label}: captured before it was asked`);
  }
}

/** How long before a kill the last byte may be sent without a capture: twice the longest capture time without a disturbance. */
function flushWindow(e: Evidence, deals: ReadonlyMap<string, Deal>, { violations, most }: Findings): number {
  let longest = 0;
  const freezes = [...new Set(e.told.map((t) => t.gateway))].flatMap(({ outages }) => outages.filter(({ kind }) => kind === 'frozen'));
  for (const t of e.told) {
    const capturedAt = deals.get(t.id)?.capturedAt ?? null;
    if (t.status !== 200 || t.error !== null || capturedAt === null) continue;
    const time: Gap = { from: t.until, until: Math.max(t.until, capturedAt) };
    if (e.postgresGaps.some((gap) => meet(gap, time, RECOVERY_MS)) || t.gateway.outages.some((o) => meet(o, time, RECOVERY_MS))) continue;
    const lateMs = capturedAt - t.until;
    const isLocked = freezes.some(({ from }) => meet({ from, until: from + LOCKED_MS }, time));
    if (!isLocked) longest = Math.max(longest, lateMs);
    if (lateMs > LONGEST_FLUSH_MS + (isLocked ? LOCKED_MS : 0))
      violations.push(`${t.id}: captured ${lateMs} ms after its last byte, and nothing stood in the way`);
  }
  const windowMs = Math.min(LONGEST_FLUSH_MS, Math.max(SHORTEST_WINDOW_MS, 2 * longest));
  most('ms from a last byte to its capture, undisturbed', longest);
  most('ms before a kill within which a capture may be lost', windowMs);
  return windowMs;
}

/** A complete 200 is charged and captured, or free for a valid reason. */
function sold(e: Evidence, t: Told, deal: Deal | undefined, windowMs: number, caught: Set<Gap>, { violations, count }: Findings): void {
  const charged = Number(t.headers['x-credits-charged'] ?? 'NaN');
  if (charged === 0) {
    if (/; hit|collapsed|; fwd=stale/.test(t.headers['cache-status'] ?? '')) count('free answers');
    else violations.push(`${t.id}: a lookup of its own, and free: ${t.headers['cache-status']}`);
    return;
  }
  const late = WAY_MS + lagOf(e.stalls, { from: t.from, until: t.until });
  if (!deal) violations.push(`${t.id}: charged ${charged}, and never held`);
  else if (deal.heldAt > t.begun) violations.push(`${t.id}: sent ${deal.heldAt - t.begun} ms before its hold was there`);
  else if (deal.capturedAt !== null) count('captured answers');
  else if (deal.releasedAt !== null) violations.push(`${t.id}: charged ${charged}, and its hold given back`);
  else if (deal.expiredAt !== null && t.begun > deal.expiredAt + (frozenAt(t, deal.expiredAt) ? 0 : late)) {
    const freeze = frozenAt(t, deal.expiredAt);
    if (freeze && builtBefore(t, freeze) && !caught.has(freeze)) {
      caught.add(freeze);
      count('answers that a freeze caught between the look at their hold and the write, free');
    } else violations.push(`${t.id}: sent ${t.begun - deal.expiredAt} ms after its hold was over`);
  } else if (lostBy('killed', e, t, windowMs, late)) count('answers whose capture a kill took');
  // a gateway frozen for longer than its holds live loses them, as a killed one does
  else if (deal.expiredAt !== null && lostBy('frozen', e, t, windowMs, late)) count('answers whose capture a freeze took');
  else if (deal.expiredAt !== null && deal.expiredAt <= waitsUntil(e, t, windowMs))
    count('answers whose hold was over before the store could take their capture');
  else {
    const how = deal.expiredAt === null ? 'its hold is open' : `its hold expired ${deal.expiredAt - t.until} ms after the last byte`;
    violations.push(`${t.id}: charged ${charged}, not captured, and no kill near: ${how}`);
  }
}

/** Bytes received after a freeze were sent after it. */
const frozenAt = (t: Told, at: number): Gap | undefined =>
  t.gateway.outages.find((o) => o.kind === 'frozen' && o.from <= at && at <= o.until && o.until <= t.begun);
/**
 * True if the head of the response was built before the freeze, according to Server-Timing. The check of the hold and the write are not
 * atomic. A process performs one such pair at a time, so a freeze affects at most one answer. Its capture comes too late, so the answer is
 * free.
 */
const builtBefore = (t: Told, freeze: Gap): boolean =>
  t.from + Number(/total;dur=([\d.]+)/.exec(t.headers['server-timing'] ?? '')?.[1] ?? 'NaN') <= freeze.from + WAY_MS;

/** Until when a capture may wait for its flush: while the store is away, or its gateway stands still for less than a hold lives. */
function waitsUntil(e: Evidence, t: Told, windowMs: number): number {
  let until = t.until + windowMs;
  const after = { from: t.until - windowMs, until: Number.POSITIVE_INFINITY };
  const put = e.postgresGaps.concat(t.gateway.outages.filter((o) => o.kind === 'frozen' && o.until - o.from < e.holdMs));
  for (const gap of put.sort((a, b) => a.from - b.from))
    if (gap.from <= until && meet(gap, after)) until = Math.max(until, gap.until + RECOVERY_MS);
  return until;
}

/** The gateway stopped between the first byte and the flush with the capture. */
function lostBy(kind: 'killed' | 'frozen', e: Evidence, t: Told, windowMs: number, late: number): boolean {
  const until = waitsUntil(e, t, windowMs);
  const stops = t.gateway.outages.filter((o) => o.kind === kind && (kind === 'killed' || o.until - o.from >= e.holdMs));
  return stops.some((o) => o.from >= t.begun - late && o.from <= until);
}

/** At least one freeze longer than the lifetime of a hold must overlap an open hold; otherwise the run proves nothing. */
function outlived({ told, members, holdMs }: Evidence, deals: ReadonlyMap<string, Deal>, { violations, count }: Findings): void {
  let found = 0;
  for (const t of told) {
    const expiredAt = deals.get(t.id)?.expiredAt ?? null;
    if (expiredAt === null) continue;
    const frozen = t.gateway.outages.some((o) => o.kind === 'frozen' && o.from <= expiredAt && expiredAt <= o.until);
    count(frozen ? 'holds that ended while their gateway was frozen' : 'holds that ended otherwise');
    if (frozen) found++;
  }
  const long = members.flatMap((m) => m.outages.filter((o) => o.kind === 'frozen' && o.until - o.from > holdMs));
  if (long.length && !found) violations.push('no freeze that was longer than a hold lives found a hold');
}

function sums({ accounts, ledgerRows }: Evidence, { violations, figures }: Findings): void {
  const total = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);
  for (const { accountId, granted } of accounts) {
    const own = ledgerRows.entries.filter((x) => x.account === accountId);
    const entries = total(own.map((x) => x.credits));
    const grants = total(own.filter((x) => x.kind === 'grant').map((x) => x.credits));
    const row = ledgerRows.balances.find((b) => b.account === accountId);
    const open = total(ledgerRows.holds.filter((h) => h.account === accountId).map((h) => h.amount));
    if (!row) {
      violations.push(`${accountId}: no balance`);
      continue;
    }
    const { balance, held } = row;
    if (balance + held !== entries) violations.push(`${accountId}: balance ${balance} + held ${held}, entries say ${entries}`);
    if (held !== open) violations.push(`${accountId}: ${held} held, open holds say ${open}`);
    if (grants !== granted) violations.push(`${accountId}: ${grants} granted, ${granted} were`);
    if (balance < 0 || held < 0) violations.push(`${accountId}: balance ${balance}, held ${held}`);
    figures['credits held at the end'] = (figures['credits held at the end'] ?? 0) + held;
  }
}
