import { randomBytes as systemRandomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { anchorKeyOf, compareWithFile, writeAnchors } from '../billing/anchor.ts';
import { HOLD_LIFE, type HoldLife } from '../billing/charge.ts';
import { createJournal } from '../billing/journal.ts';
import { createLedger } from '../billing/ledger.ts';
import { readStatement } from '../billing/statement.ts';
import type { Admin } from '../contract/admin/actions.ts';
import { ServiceError } from '../contract/errors.ts';
import { OPERATIONS } from '../contract/operations/index.ts';
import { ALL_SCOPES, operationsOf } from '../contract/scopes.ts';
import { instant, instantOrNull } from '../runtime/clock.ts';
import type { RandomBytes } from '../runtime/uuid.ts';
import type { Settings } from '../settings.ts';
import { openStore, type StoreParts } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import type { KeyRow, Tables } from '../store/tables.ts';
import { writesOutage } from '../store/unavailable.ts';
import type { Http } from '../upstream/ports.ts';
import { createAdmin } from './admin/admin.ts';
import { writeAudit } from './admin/audit.ts';
import { bindEarlierRows } from './admin/bound-rows.ts';
import { createOperatorKey } from './admin/operator-key.ts';
import { createKeys, parseList } from './keys/keys.ts';
import { isClientId } from './oauth/clients.ts';
import { createOAuth, demandSecret, mayAppsSignIn, type OAuth } from './oauth/oauth.ts';
import { serviceSecret } from './oauth/sealer.ts';
import { CONSOLE_KEY_ID, createSessions, createSignInCodes, OPERATOR_KEY_ID } from './sessions/sessions.ts';
import { createSetup } from './setup.ts';
import type { Accounts, AccountView, Caller } from './types.ts';
import { explain } from './usage/explain.ts';
import { findRequests, readRequests, readTimings } from './usage/request-log.ts';
import { createUsage } from './usage/usage.ts';

export interface AccountsParts extends StoreParts {
  readonly settings: Settings;
  /** Default: the system's cryptographic source. */
  readonly randomBytes?: RandomBytes;
  /** Fetches the key sets of other issuers. Without it (commands) only tokens of this service are accepted. */
  readonly http?: Http;
  readonly holdLife?: HoldLife;
  /** Public URL of the service; null until it is known. Default: SIGHTLINE_PUBLIC_URL. */
  readonly baseUrl?: () => string | null;
  readonly apps?: boolean;
  /** Of openServedStore; default: it is opened here. */
  readonly store?: Store;
}
export type OpenAccounts = Awaited<ReturnType<typeof openAccounts>>;

export const holdLifeMsOf = (settings: Settings, { marginMs }: HoldLife = HOLD_LIFE): number =>
  Math.max(...Object.values(OPERATIONS).map((operation) => settings[operation.deadline.setting])) + marginMs;

/** Opens and migrates the store of a process that serves requests. Throws an OperatorError if it may not, or another process holds the folder. */
export async function openServedStore(parts: Pick<AccountsParts, 'settings' | 'apps'> & StoreParts): Promise<Store> {
  const { settings, apps = mayAppsSignIn(settings) } = parts;
  const store = await openStore(parts);
  try {
    await demandSecret(store, settings, apps);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the store and creates the account services. */
export async function openAccounts(parts: AccountsParts) {
  const { settings, clock, log, randomBytes = systemRandomBytes, http = null } = parts;
  const baseUrl = parts.baseUrl ?? (() => settings.SIGHTLINE_PUBLIC_URL);
  const store = parts.store ?? (await (http ? openServedStore : openStore)(parts));
  const { apps = mayAppsSignIn(settings) } = parts;
  let derived: Buffer | null = null;
  const anchorKey = (): Buffer | null => {
    derived ??= anchorKeyOf(settings, () => serviceSecret(settings, randomBytes));
    return derived;
  };
  let oauth: OAuth;
  try {
    await bindEarlierRows(store, clock.now(), anchorKey);
    const admin = () => adminAs('oauth', null);
    oauth = createOAuth({ settings, store, clock, log, randomBytes, http, baseUrl, admin, apps, sealKey: anchorKey });
  } catch (error) {
    await store.close();
    throw error;
  }
  const writes = writesOutage(clock, log);
  const journal = createJournal(store, clock);
  const ledger = createLedger({ journal, clock, log, randomBytes, holdLifeMs: holdLifeMsOf(settings, parts.holdLife), writes });
  const keys = createKeys(store);
  store.keyChanges?.listen(() => {
    keys.forget();
    oauth.forget();
  });
  const sessions = createSessions({ store, clock, randomBytes });
  const usage = createUsage(store, clock, log, writes);
  /** The admin actions: `actor` in the audit log, `madeBy` at the keys that are made. */
  const adminFor = (actor: string, madeBy: string | null) =>
    createAdmin({
      ...{ store, ledger, keys, usage, oauth, sessions, clock, randomBytes, anchorKey, actor, madeBy },
      freeCredits: settings.SIGHTLINE_FREE_CREDITS,
    });
  const adminAs = (actor: string, madeBy: string | null): Admin => adminFor(actor, madeBy).actions;
  const admin = adminAs('operator', null);
  const operatorKey = createOperatorKey(store.db);
  const { SIGHTLINE_ANCHOR_FILE: anchorFile } = settings;
  const compare = (file: string) => compareWithFile(file, store.db, anchorKey(), log);
  const anchoring = anchorFile && http ? writeAnchors(anchorFile, admin, clock, log, () => compare(anchorFile)) : null;
  let closing: Promise<void> | null = null;

  return {
    store,
    ledger,
    admin,
    oauth,
    sessions,
    operatorKey,
    setup: createSetup({
      ...{ store, clock, randomBytes, fixedCode: settings.SIGHTLINE_SETUP_CODE },
      claim: adminFor('setup', null).claim,
    }),
    signInCodes: createSignInCodes({ store, clock, randomBytes }),
    adminAs,
    // the header of a JWT is a JSON object in base64url, so it starts with these characters
    authenticate: (credential, nowMs) => (credential.startsWith('eyJ') ? oauth : keys).authenticate(credential, nowMs),
    authenticateCached: (credential, nowMs, connection) =>
      credential.startsWith('eyJ') ? oauth.authenticateCached(credential, nowMs) : keys.authenticateCached(credential, nowMs, connection),
    record: usage.record,
    view: (caller) => viewOf(store.db, caller),
    usage: ({ accountId }, query) => usage.page(accountId, query),
    timings: ({ accountId }, query) => usage.flush().then(() => readTimings(store.db, accountId, query)),
    requests: ({ accountId }, query) => usage.flush().then(() => readRequests(store.db, accountId, query)),
    async request({ accountId }, requestId) {
      await usage.flush();
      const [row, ...others] = await findRequests(store.db, requestId, accountId);
      return row ? explain([row, ...others]) : null;
    },
    statement: ({ accountId }, query) => readStatement(store.db, accountId, query),
    /** Writes what the operator did into the audit log, where the act itself does not. */
    audit: (action: string, subject: string, facts: Record<string, unknown>): Promise<void> =>
      store.db.transaction().execute((trx) => writeAudit(trx, clock.now(), { actor: 'operator', action, subject, facts })),
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
  } satisfies Accounts & Readonly<Record<string, unknown>>;
}

export async function viewOf(db: Kysely<Tables>, { accountId, keyId, scopes }: Caller): Promise<AccountView> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('balances', 'balances.account_id', 'accounts.id')
    .select(['name', 'created_at', 'balance', 'held'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  const came = account && (keyId === CONSOLE_KEY_ID || keyId === OPERATOR_KEY_ID ? withoutKey(keyId, account.created_at) : await rowOf());
  if (!came) throw new ServiceError('UNAUTHORIZED');
  return {
    accountId,
    name: account.name,
    credits: { balance: account.balance + account.held, held: account.held },
    key: {
      keyId,
      label: came.label,
      createdAt: instant(came.created_at),
      expiresAt: instantOrNull(came.expires_at),
      operations: came.operations === undefined ? operationsOf(scopes ?? ALL_SCOPES) : parseList(came.operations),
    },
  };

  function rowOf(): Promise<Came | undefined> {
    const rows = db
      .selectFrom(isClientId(keyId) ? 'clients' : 'keys')
      .where('id', '=', keyId)
      .where('account_id', '=', accountId);
    return rows.selectAll().executeTakeFirst();
  }
}

/** `operations` absent (a client): those of the scopes. */
type Came = Pick<KeyRow, 'label' | 'created_at' | 'expires_at'> & Partial<Pick<KeyRow, 'operations'>>;
/** A caller who signed in to the console without a key: all operations, as old as the account. */
const withoutKey = (label: string, created_at: number): Came => ({ label, created_at, expires_at: null, operations: null });
