import { hash } from 'node:crypto';

const KINDS = ['grant', 'hold', 'capture', 'release', 'expire', 'renew'] as const;

export interface Entry {
  readonly kind: (typeof KINDS)[number];
  /** Change of balance + held: the sum over all entries equals balance + held. */
  readonly credits: number;
  /** Change of the held credits: the sum over all entries equals held. */
  readonly held: number;
  /** Of a hold its UUID; of what follows on a hold `<number of the hold's row>.<UUID>`; of a grant the caller's reference. */
  readonly hold: string;
  /** Of a hold and of its renewal: how long after the time of the row it expires. */
  readonly lifeMs: number;
  /** Of a hold whose key has a cap: the id under which the cap counts it. */
  readonly counter: string;
  readonly keyId: string;
  readonly operation: string;
  /** Of a hold the ids of the request, of a grant its note. */
  readonly label: string;
}

/** An entry without the columns that only holds have. */
export const plainEntry = (kind: Entry['kind'], credits: number, held: number, hold: string): Entry => {
  return { kind, credits, held, hold, lifeMs: 0, counter: '', keyId: '', operation: '', label: '' };
};

/** The text of an entry: columns, of which those at the end are omitted where a kind does not have them. */
export function lineOf({ kind, credits, held, hold, lifeMs, counter, keyId, operation, label }: Entry): string {
  const line = `${kind}\t${credits}\t${held}\t${hold}`;
  if (kind === 'hold' || kind === 'grant') return `${line}\t${lifeMs}\t${counter}\t${keyId}\t${operation}\t${label}`;
  return kind === 'renew' ? `${line}\t${lifeMs}` : line;
}

/** The entry of a line; null if it is not one. */
export function readLine(line: string): Entry | null {
  const [kind, credits, held, hold = '', lifeMs = '0', counter = '', keyId = '', operation = '', label = ''] = line.split('\t');
  const numbers = [Number(credits), Number(held), Number(lifeMs)] as const;
  if (!KINDS.includes(kind as Entry['kind']) || !numbers.every(Number.isSafeInteger)) return null;
  return { kind: kind as Entry['kind'], credits: numbers[0], held: numbers[1], hold, lifeMs: numbers[2], counter, keyId, operation, label };
}

/** The entries of a row. A line that is none is left out; verifyLedger reports it. */
export const readLines = (lines: string): Entry[] => lines.split('\n').flatMap((line) => readLine(line) ?? []);

/** The hash of a row in the journal of an account: SHA-256, hex. `head` is the hash of the row before, '' for the first. */
export const rowHash = (accountId: string, seq: number, at: number, head: string, lines: string): string =>
  hash('sha256', `sightline-ledger-1\n${accountId}\n${seq}\n${at}\n${head}\n${lines}`, 'hex');

/** The account of a hold id `<account>.<number of its row in the journal>.<UUID>`, and the rest, which names it within the account. */
export function splitHoldId(holdId: string): readonly [accountId: string, id: string] {
  const dot = holdId.indexOf('.');
  return [holdId.slice(0, Math.max(0, dot)), holdId.slice(dot + 1)];
}

/** One line of plain text, at most 200 characters: it is part of the chain. */
export const plainLine = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(/\p{Cc}+/gu, ' ')
        .slice(0, 200)
        .toWellFormed();
const PLAIN = /^[ -~]{0,200}$/;
