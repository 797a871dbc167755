/**
 * A ledger batch: many operations in one transaction, with one result for each. Order within a batch, per account: renewals, then
 * settlements (the first of a hold wins), then grants, then holds in order of arrival; a hold is admitted if the rest of the balance covers
 * it.
 */
export type OpKind = 'grant' | 'hold' | 'capture' | 'release' | 'renew' | 'expire';

/** Flat, because it crosses a thread or a socket thousands of times a second. `hold` is the UUID, or the reference of a grant. */
export type Op = readonly [
  kind: OpKind,
  accountId: string,
  hold: string,
  amount: number,
  ttlMs: number,
  keyId: string,
  operation: string,
  label: string,
];

export const CODE = {
  done: 0,
  /** The balance does not cover it; the value is the free balance. */
  short: 1,
  /** The key's daily (monthly) cap does not cover it; the value is the rest of the cap. */
  capDay: 2,
  capMonth: 3,
  /** No open hold with this id. */
  over: 4,
  noAccount: 5,
} as const;
export type Code = (typeof CODE)[keyof typeof CODE];

export interface BatchAnswer {
  /** The store's clock, epoch ms. */
  readonly at: number;
  /** By index in the batch. */
  readonly codes: readonly Code[];
  /** `done`: free balance after a hold or a grant, credits captured; else as the code says. */
  readonly amounts: readonly number[];
  /** Free and held credits of every account touched, after the batch. */
  readonly balances: readonly (readonly [accountId: string, balance: number, held: number])[];
}

/** Text of one entry in the hash chain. The PostgreSQL function writes the same text. */
export const entryLine = (
  kind: string,
  credits: number,
  held: number,
  hold: string,
  keyId: string,
  operation: string,
  label: string,
): string => `${kind}\t${credits}\t${held}\t${hold}\t${keyId}\t${operation}\t${label}`;

/** The text whose SHA-256 (hex) is the link's hash. `head` is the hash of the previous link, '' for the first. */
export const linkText = (accountId: string, seq: number, at: number, head: string, lines: readonly string[]): string =>
  `sightline-ledger-1\n${accountId}\n${seq}\n${at}\n${head}\n${lines.join('\n')}`;
