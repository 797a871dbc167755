import { readLines } from '../../src/billing/rules.ts';
import type { Disk } from './disk.ts';

/** What the journal has for one request. */
export interface Deal {
  readonly accountId: string;
  readonly keyId: string;
  readonly heldAt: number;
  /** The watch whose check it is; null: a request of a client. */
  readonly watch: string | null;
  readonly amount: number;
  holds: number;
  captures: number;
  captured: number;
  open: boolean;
}
export interface Account {
  granted: number;
  captured: number;
  held: number;
}

/** Reads the journal as it grows. Independent of the ledger's own reader of balances: it adds up the entries. */
export class Books {
  readonly deals = new Map<string, Deal>();
  readonly accounts = new Map<string, Account>();
  /** Labels by the UUID of their hold. */
  readonly #labels = new Map<string, string>();
  readonly violations: string[] = [];
  #lastRow = 0;

  read(disk: Disk): void {
    const rows = disk.read('select rowid as row, account_id, at, lines from journal where rowid > ? order by rowid', [this.#lastRow]);
    for (const { row, account_id, at, lines } of rows) {
      this.#lastRow = Number(row);
      for (const entry of readLines(String(lines))) this.#add(String(account_id), Number(at), entry);
    }
  }

  #add(accountId: string, at: number, entry: ReturnType<typeof readLines>[number]): void {
    const account = this.accounts.get(accountId) ?? { granted: 0, captured: 0, held: 0 };
    this.accounts.set(accountId, account);
    account.held += entry.held;
    if (entry.kind === 'grant') {
      account.granted += entry.credits;
      return;
    }
    if (entry.kind === 'hold') {
      // a client names its request; a check has an id of its own, and the name of its watch
      const [requestId = '', name = ''] = entry.label.split(' ');
      const watch = requestId.startsWith('watch-') ? name : null;
      const label = watch === null ? name : requestId;
      this.#labels.set(entry.id, label);
      const deal = this.deals.get(label);
      if (deal) deal.holds++;
      else {
        const amount = entry.held;
        this.deals.set(label, {
          ...{ accountId, keyId: entry.keyId, heldAt: at, amount, watch },
          ...{ holds: 1, captures: 0, captured: 0, open: true },
        });
      }
      return;
    }
    const label = this.#labels.get(entry.id.slice(entry.id.indexOf('.') + 1));
    const deal = label === undefined ? undefined : this.deals.get(label);
    if (!deal) {
      this.violations.push(`${accountId}: ${entry.kind} of a hold that the journal does not have`);
      return;
    }
    if (entry.kind !== 'renew') deal.open = false;
    if (entry.kind === 'capture') {
      deal.captures++;
      deal.captured -= entry.credits;
      account.captured -= entry.credits;
    } else if (entry.credits !== 0) this.violations.push(`${label}: ${entry.kind} of ${entry.credits} credits`);
  }
}
