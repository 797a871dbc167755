import { randomBytes as systemRandomBytes } from 'node:crypto';
import { HOLD_LIFE, type HoldLife } from '../billing/hold-life.ts';
import { createLedger } from '../billing/ledger.ts';
import type { LedgerCounts } from '../billing/ledger-counts.ts';
import { readStatement } from '../billing/statement.ts';
import type { CreditLedger } from '../billing/types.ts';
import { OPERATIONS } from '../contract/operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { RandomBytes } from '../runtime/uuid.ts';
import { deadlineOf, type Settings } from '../settings.ts';
import { openStore } from '../store/open.ts';
import type { Store, StoreLog } from '../store/store.ts';
import { writesOutage } from '../store/write-outage.ts';
import type { Http } from '../upstream/ports.ts';
import { viewOf } from './account-view.ts';
import { createAdmin } from './admin/admin.ts';
import { writeAnchors } from './admin/anchor-file.ts';
import type { Admin } from './admin/types.ts';
import { createKeys } from './keys/keys.ts';
import { createOAuth, demandSecret, type OAuth } from './oauth/oauth.ts';
import { serviceSecret } from './oauth/sealer.ts';
import { createSessions, type Sessions } from './sessions/sessions.ts';
import { createSignInCodes, type SignInCodes } from './sessions/sign-in-codes.ts';
import type { Accounts } from './types.ts';
import { explain } from './usage/explain.ts';
import { findRequests, readRequests } from './usage/request-log.ts';
import { createUsage } from './usage/usage.ts';

export interface AccountsParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Default: the system's cryptographic source. */
  readonly randomBytes?: RandomBytes;
  /** Actor recorded in the audit log. Default `operator`. */
  readonly actor?: string;
  /** Fetches the key sets of other issuers. Without it (commands) only tokens of this service are accepted. */
  readonly http?: Http;
  /** Called with the names of the migrations that ran. */
  readonly migrated?: (names: readonly string[]) => void;
  /** Delays every commit of the embedded store. Default 0. */
  readonly commitDelayMs?: number;
  /** Default: HOLD_LIFE. */
  readonly holdLife?: HoldLife;
  /** Public URL of the service; null until it is known. Default: SIGHTLINE_PUBLIC_URL. */
  readonly baseUrl?: () => string | null;
  /** Whether apps may sign in; default: whether SIGHTLINE_PUBLIC_URL is https or loopback. */
  readonly apps?: boolean;
}
export interface OpenAccounts extends Accounts {
  readonly ledger: CreditLedger;
  readonly admin: Admin;
  readonly oauth: OAuth;
  readonly store: Store;
  readonly sessions: Sessions;
  readonly signInCodes: SignInCodes;
  /** The admin actions for the holder of an account: `actor` in the audit log, `madeBy` at the keys that are made. */
  adminAs(actor: string, madeBy: string | null): Admin;
  /** For the metrics. */
  counts(): { readonly ledger: Readonly<LedgerCounts>; readonly usage: Readonly<{ written: number; dropped: number }> };
}

/** The longest life of a hold under these settings, ms. */
export const holdMsOf = (settings: Settings, { marginMs }: HoldLife = HOLD_LIFE): number =>
  Math.max(...Object.values(OPERATIONS).map((operation) => deadlineOf(operation, settings))) + marginMs;

/** Opens and migrates the store and creates the account services. Throws StoreHeldError if another process holds the folder. */
export async function openAccounts(parts: AccountsParts): Promise<OpenAccounts> {
  const { settings, clock, log, randomBytes = systemRandomBytes, actor = 'operator', http = null } = parts;
  const baseUrl = parts.baseUrl ?? (() => settings.SIGHTLINE_PUBLIC_URL);
  const store = await openStore(settings, clock, log, parts);
  const oauth = await opened(store, async () => {
    if (http) await demandSecret(store, settings);
    const on = parts.apps === undefined ? {} : { apps: parts.apps };
    return createOAuth({ settings, store, clock, log, randomBytes, http, baseUrl, admin: () => adminAs('oauth', null), ...on });
  });
  const writes = writesOutage(clock, log);
  const ledger = createLedger({ store, clock, log, randomBytes, holdMs: holdMsOf(settings, parts.holdLife), writes });
  const keys = createKeys(store);
  const usage = createUsage(store, clock, log, writes);
  const secret = () => serviceSecret(settings, randomBytes);
  const adminAs = (name: string, madeBy: string | null): Admin =>
    createAdmin({
      store,
      ledger,
      keys,
      usage,
      oauth,
      clock,
      randomBytes,
      freeCredits: settings.SIGHTLINE_FREE_CREDITS,
      secret,
      actor: name,
      madeBy,
    });
  const admin = adminAs(actor, null);
  const anchoring =
    settings.SIGHTLINE_ANCHOR_FILE && http
      ? writeAnchors({ file: settings.SIGHTLINE_ANCHOR_FILE, admin, clock, log, everyMs: settings.SIGHTLINE_ANCHOR_MINUTES * 60_000 })
      : null;
  let closing: Promise<void> | null = null;

  return {
    store,
    ledger,
    admin,
    oauth,
    sessions: createSessions({ store, clock, randomBytes }),
    signInCodes: createSignInCodes({ store, clock, randomBytes, actor }),
    adminAs,
    // the header of a JWT is a JSON object in base64url, so it starts with these characters
    authenticate: (credential, nowMs) => (credential.startsWith('eyJ') ? oauth : keys).authenticate(credential, nowMs),
    known: (credential, nowMs) => (credential.startsWith('eyJ') ? oauth : keys).known(credential, nowMs),
    record: usage.record,
    view: (caller) => viewOf(store.db, caller),
    usage: ({ accountId }, query) => usage.page(accountId, query),
    async requests({ accountId }, query) {
      await usage.flush();
      return readRequests(store.db, accountId, query);
    },
    async request({ accountId }, requestId) {
      await usage.flush();
      const [row, ...others] = await findRequests(store.db, requestId, accountId);
      return row ? explain([row, ...others]) : null;
    },
    statement: ({ accountId }, query) => readStatement(store.db, accountId, query),
    ready: () => store.ready(),
    counts: () => ({ ledger: ledger.counts, usage: usage.counts }),
    close() {
      closing ??= (async () => {
        await anchoring?.close();
        await ledger.close();
        await usage.close();
        await store.close();
      })();
      return closing;
    },
  };
}

/** Closes the store if a later step fails. */
async function opened<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}
