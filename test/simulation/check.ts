import type { Books } from './books.ts';
import { FREE_DOMAIN, resultsOf, UNKNOWN_DOMAIN } from './platforms.ts';
import type { LookupCase } from './simulation.ts';

/** What a client was told. */
export interface Told {
  readonly label: string;
  readonly from: number;
  readonly until: number;
  readonly lookup: LookupCase;
  readonly price: number;
  readonly key: { readonly accountId: string; readonly keyId: string };
  /** Null: the process was killed before it answered. */
  readonly status: number | null;
  readonly charged: number;
}
/** 500: a simulated source has a defect. */
const EXPECTED = [200, 402, 404, 429, 500, 502, 503, 504];

/** An answer belongs to its lookup, and nothing is denied that the platforms have. */
export function checkAnswer({ label, status, charged, price, lookup: { operation, name, depth } }: Told, text: string): string[] {
  const faults: string[] = [];
  const body = JSON.parse(text) as Record<string, unknown>;
  if (status === null || !EXPECTED.includes(status)) faults.push(`${label}: status ${status}: ${text.slice(0, 200)}`);
  if (status !== 200 && charged !== 0) faults.push(`${label}: ${charged} credits for ${status}`);
  if (charged > price) faults.push(`${label}: ${charged} credits, and its price is ${price}`);
  // only-if-cached is 504
  if (status === 404 && !(operation === 'traffic' && UNKNOWN_DOMAIN(name))) faults.push(`${label}: ${name} is denied without evidence`);
  if (status !== 200) return faults;
  const asked = operation === 'serp' ? body.keyword : body.domain;
  if (asked !== name) faults.push(`${label}: asked for ${name}, answered about ${asked}`);
  if (operation === 'registration' && body.available !== FREE_DOMAIN(name)) faults.push(`${label}: ${name} available: ${body.available}`);
  if (operation === 'traffic' && UNKNOWN_DOMAIN(name)) faults.push(`${label}: traffic of ${name} is invented`);
  if (operation === 'serp') {
    const count = (body.organic as unknown[]).length;
    const wanted = Math.min(depth, resultsOf(name));
    if (count !== wanted) faults.push(`${label}: ${count} results of ${wanted}`);
    if (charged > Math.ceil(Math.max(count, 1) / 10)) faults.push(`${label}: ${charged} credits for ${count} results`);
  }
  return faults;
}

interface Evidence {
  readonly books: Books;
  readonly told: readonly Told[];
  readonly losses: readonly number[];
  readonly keys: readonly { readonly keyId: string; readonly creditsPerDay: number | null }[];
  readonly balances: readonly Record<string, unknown>[];
  /** Checks that cost credits, by the id of their watch. */
  readonly checks: readonly Record<string, unknown>[];
}
const DAY_MS = 86_400_000;
/** A fault this long before or after an answer may cost its capture: holds live so long, and settlements are tried so long. */
const LOSS_MS = 60_000;

/** No credit is lost, made, or charged to the wrong request, and no cap of a key is passed. */
export function checkBooks({ books, told, losses, keys, balances, checks }: Evidence): string[] {
  const faults: string[] = [];
  for (const { account_id, balance, held } of balances) {
    const account = books.accounts.get(String(account_id));
    if (!account) continue;
    if (account.granted - account.captured !== Number(balance) + Number(held))
      faults.push(
        `${account_id}: ${account.granted} granted, ${account.captured} captured, but the balance is ${balance} and ${held} held`,
      );
    if (Number(held) !== 0 || account.held !== 0) faults.push(`${account_id}: ${held} credits are still held`);
  }
  const byLabel = new Map(told.map((one) => [one.label, one]));
  const spent = new Map<string, number>();
  const checksOf = new Map(checks.map(({ id, paid }) => [String(id), Number(paid)]));
  const paidChecks = new Map<string, number>();
  for (const [label, { captures, captured, holds, keyId, heldAt, open, watch }] of books.deals) {
    const one = byLabel.get(label);
    if (watch !== null) paidChecks.set(watch, (paidChecks.get(watch) ?? 0) + captures);
    else if (!one) faults.push(`${label}: held for a request that nobody made`);
    else if (one.status === null ? captured > one.price : captured > one.charged)
      faults.push(`${label}: ${captured} captured, ${one.charged} said with ${one.status}`);
    if (captures > 1) faults.push(`${label}: captured ${captures} times`);
    if (holds > 1) faults.push(`${label}: held ${holds} times`);
    if (open) faults.push(`${label}: its hold is open`);
    const day = `${keyId} ${Math.floor(heldAt / DAY_MS)}`;
    spent.set(day, (spent.get(day) ?? 0) + captured);
  }
  for (const { keyId, creditsPerDay } of keys)
    for (const [day, credits] of spent)
      if (creditsPerDay !== null && day.startsWith(`${keyId} `) && credits > creditsPerDay)
        faults.push(`${keyId}: ${credits} credits on a day, and its cap is ${creditsPerDay}`);
  for (const [watch, paid] of paidChecks)
    if (paid > (checksOf.get(watch) ?? 0)) faults.push(`${watch}: ${checksOf.get(watch) ?? 0} checks with credits, and ${paid} charges`);
  for (const { label, charged, status, until } of told) {
    if (status !== 200 || charged === 0 || books.deals.get(label)?.captured === charged) continue;
    const isExplained = losses.some((at) => Math.abs(at - until) < LOSS_MS);
    if (!isExplained)
      faults.push(`${label}: ${charged} said, ${books.deals.get(label)?.captured ?? 0} captured, and nothing was disturbed`);
  }
  return faults;
}
