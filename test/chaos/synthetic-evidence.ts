import type { Account, Entry, Evidence, Gap, LedgerRows, Outage, Seen, Told, Watched } from './evidence.ts';

/** Synthetic evidence of a valid run, for tests that add faults to it. Times count from 0. */
export interface SyntheticEvidence extends Evidence {
  readonly told: Told[];
  readonly seen: Seen[];
  readonly gateway1: Process;
  readonly gateway2: Process;
  readonly worker1: Process;
  readonly worker2: Process;
  readonly members: readonly Process[];
  readonly redisGaps: Gap[];
  readonly postgresGaps: Gap[];
  readonly ledgerRows: LedgerRows & {
    readonly entries: Entry[];
    readonly holds: { account: string; amount: number }[];
    readonly balances: { account: string; balance: number; held: number }[];
  };
  readonly stalls: Gap[];
}
export interface Process extends Watched {
  readonly outages: Outage[];
}

export const HOLD_MS = 36_000;
export const RICH: Account = { accountId: 'rich', key: 'k1', granted: 1_000_000 };
export const POOR: Account = { accountId: 'poor', key: 'k2', granted: 60 };

export function createSyntheticEvidence(): SyntheticEvidence {
  const process = (name: string): Process => ({ name, outages: [] });
  const [gateway1, gateway2, worker1, worker2] = [process('gateway1'), process('gateway2'), process('worker1'), process('worker2')];
  const grant = ({ accountId, granted }: Account): Entry => ({
    account: accountId,
    kind: 'grant',
    credits: granted,
    hold: '',
    label: '',
    at: 0,
  });
  return {
    told: [],
    seen: [],
    gateway1,
    gateway2,
    worker1,
    worker2,
    members: [gateway1, gateway2, worker1, worker2],
    redisGaps: [],
    postgresGaps: [],
    accounts: [RICH, POOR],
    ledgerRows: { entries: [grant(RICH), grant(POOR)], holds: [], balances: [] },
    stalls: [],
    holdMs: HOLD_MS,
  };
}

const keywordOf = (id: string): string => `shoes ${id}`;
const resource = (id: string): string =>
  JSON.stringify({
    keyword: keywordOf(id),
    searchEngine: 'engine_a',
    location: 'US',
    language: 'en',
    device: 'desktop',
    totalResults: null,
    checkedAt: '2026-01-07T20:01:30.000Z',
    features: [],
    organic: [],
    paid: [],
    aiOverview: null,
    relatedSearches: [],
  });
const errorBody = (code: string): string => JSON.stringify({ error: { code, message: 'Why.' } });

/** A request of 100 ms, answered by 200 for one credit, unless overridden. */
export function ask(run: SyntheticEvidence, id: string, from: number, more: Partial<Told> = {}): Told {
  const headers = {
    'x-request-id': id,
    'content-type': 'application/json; charset=utf-8',
    'x-credits-charged': '1',
    'cache-status': 'sightline; fwd=uri-miss; stored',
    ...more.headers,
  };
  const path = `/v1/searchengine/serp?keyword=${keywordOf(id).replaceAll(' ', '+')}`;
  const usual = { gateway: run.gateway1, account: RICH, path, operation: 'serp' as const, status: 200, body: resource(id), error: null };
  const told: Told = { id, from, begun: from + 99, until: from + 100, ...usual, ...more, headers };
  run.told.push(told);
  return told;
}
/** The same, refused. */
export const refuse = (run: SyntheticEvidence, id: string, from: number, status: number, code: string, more: Partial<Told> = {}): Told =>
  ask(run, id, from, {
    status,
    body: errorBody(code),
    ...more,
    headers: { 'x-credits-charged': '0', 'retry-after': '1', ...more.headers },
  });
/** The same, disconnected before the answer was complete. */
export const breakOff = (run: SyntheticEvidence, id: string, from: number, more: Partial<Told> = {}): Told =>
  ask(run, id, from, { status: null, body: null, error: 'UND_ERR_SOCKET other side closed', begun: Number.POSITIVE_INFINITY, ...more });

export function enter(run: SyntheticEvidence, kind: Entry['kind'], label: string, at: number, credits = kind === 'capture' ? -1 : 0): void {
  run.ledgerRows.entries.push({
    account: RICH.accountId,
    kind,
    credits,
    hold: `hold of ${label}`,
    label: kind === 'hold' ? label : '',
    at,
  });
}
/** Requested, held, answered, captured. */
export function sell(run: SyntheticEvidence, id: string, from: number, more: Partial<Told> = {}): Told {
  const told = ask(run, id, from, more);
  enter(run, 'hold', id, from + 5);
  enter(run, 'capture', id, told.until + 10);
  return told;
}

export function see(
  run: SyntheticEvidence,
  lookup: string,
  from: number,
  until: number,
  member = 'worker1',
  host = 'api.dataforseo.com',
): void {
  run.seen.push({ host, lookup: `https://${host}/ ${lookup}`, member, from, until });
}

/** Sets the balances to the sums of the entries. */
export function balance(run: SyntheticEvidence): void {
  for (const { accountId } of run.accounts) {
    const held = run.ledgerRows.holds.filter((h) => h.account === accountId).reduce((sum, h) => sum + h.amount, 0);
    const sum = run.ledgerRows.entries.filter((e) => e.account === accountId).reduce((total, e) => total + e.credits, 0);
    run.ledgerRows.balances.push({ account: accountId, balance: sum - held, held });
  }
}
