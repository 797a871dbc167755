// Few in a process: it computes for long.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { auditText } from '../../src/accounts/admin/audit.ts';
import { writeAnchors } from '../../src/billing/anchor.ts';
import { readLines } from '../../src/billing/rules.ts';
import { exportForAudit } from '../../src/cli/export.ts';
import { readSettings } from '../../src/settings.ts';
import { openEngine } from '../../src/store/sqlite/engine.ts';
import type { StartEngine } from '../../src/store/sqlite/thread.ts';
import type { Tables } from '../../src/store/tables.ts';
import { BACKENDS, type Backend, silent } from '../ledger/backends.ts';
import { createManualClock } from '../support/manual-clock.ts';

type Db = Kysely<Tables>;
/** Without a thread: an export is opened for each case. */
const startInline: StartEngine = async (options) => {
  const { run } = openEngine(options);
  return { run: async (request) => run(request), end: async () => {} };
};
interface Scene {
  readonly accounts: OpenAccounts;
  /** Chain: 1 a grant of 100, 2 a hold of 10, 3 its capture, 4 an open hold of 5. */
  readonly id: string;
  /** Changes rows with the rights of the database owner: triggers and foreign keys are disabled. */
  tamper(work: (db: Db) => Promise<unknown>): Promise<void>;
  /** Puts the rows back that were tampered with. */
  restore(): Promise<void>;
  ledger(anchor?: string): Promise<string>;
  audit(anchor?: string): Promise<string>;
  close(): Promise<void>;
}

async function scene(backend: Backend): Promise<Scene> {
  const bench = await backend.open();
  const place = backend.name === 'embedded' ? { SIGHTLINE_DATA_DIR: `${bench.place}/served` } : { DATABASE_URL: bench.place };
  const settings = readSettings({ ...place, SIGHTLINE_SECRET: 'a secret of sixteen or more' });
  const accounts = await openAccounts({ settings, clock: bench.clock, log: silent });
  const { admin, ledger, store } = accounts;
  const { accountId: id } = await admin.createAccount({ name: 'victim', credits: 100 });
  const other = await admin.createAccount({ name: 'other', credits: 50 });
  const hold = async (amount: number) => {
    const answer = await ledger.hold({ accountId: id, keyId: 'k', amount, operation: 'serp', requestId: 'r', ttlMs: 3_600_000 });
    return answer.ok ? answer.holdId : assert.fail(answer.message);
  };
  await ledger.capture(await hold(10), 10);
  await hold(5);
  await admin.grant({ accountId: other.accountId, credits: 1, reference: 'invoice-1' });
  await admin.createKey({ accountId: other.accountId });
  const rowsOf = (table: keyof Tables) => store.db.selectFrom(table).selectAll().execute();
  const saved = new Map<keyof Tables, Awaited<ReturnType<typeof rowsOf>>>();
  const asOwner = async (work: (db: Db) => Promise<unknown>): Promise<void> => {
    if (store.kind === 'embedded') {
      for (const table of ['journal', 'audit'])
        for (const verb of ['update', 'delete']) await sql.raw(`drop trigger if exists ${table}_no_${verb}`).execute(store.db);
      await sql`pragma foreign_keys = off`.execute(store.db);
      await work(store.db);
    } else
      await store.db.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx);
        await work(trx);
      });
  };
  /** What a check finds, at the store and at an export of it, which knows no secret. */
  async function faultsOf(check: 'verifyLedger' | 'verifyAudit', anchor?: string): Promise<string> {
    const input = anchor === undefined ? {} : { anchor };
    const { faults } = await admin[check](input);
    // of PostgreSQL only where it takes anchors: the copy is the same for each case
    if (backend.name !== 'embedded' && anchor === undefined) return faults.join('\n');
    const folder = mkdtempSync(join(tmpdir(), 'sightline-audit-'));
    try {
      await exportForAudit(settings, folder);
      const there = await openAccounts({
        settings: readSettings({ SIGHTLINE_DATA_DIR: folder }),
        clock: bench.clock,
        log: silent,
        startEngine: startInline,
      });
      assert.deepEqual((await there.admin[check](input)).faults, faults, 'an export for an audit says the same');
      await there.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
    return faults.join('\n');
  }
  return {
    accounts,
    id,
    async tamper(work) {
      for (const table of TAMPERED) saved.set(table, await rowsOf(table));
      await asOwner(work);
    },
    restore: () =>
      asOwner(async (db) => {
        for (const [table, rows] of saved) {
          if (isDeepStrictEqual(await rowsOf(table), rows)) continue;
          await db.deleteFrom(table).execute();
          if (rows.length) await db.insertInto(table).values(rows).execute();
        }
        saved.clear();
      }),
    ledger: (anchor) => faultsOf('verifyLedger', anchor),
    audit: (anchor) => faultsOf('verifyAudit', anchor),
    async close() {
      await accounts.close();
      await bench.drop();
    },
  };
}

/** The tables that the cases tamper with. */
const TAMPERED = ['accounts', 'audit', 'balances', 'changes', 'clients', 'grant_references', 'journal', 'keys', 'sessions'] as const;

const link = (account_id: string, seq: number) => ({ account_id, seq, at: 0, lines: 'grant\t1\t0\t', hash: 'x' });

async function removeAll(db: Db, id: string): Promise<void> {
  for (const table of ['journal', 'grant_references', 'keys'] as const) await db.deleteFrom(table).where('account_id', '=', id).execute();
}
/** Rewrites the text of one link. */
async function rewrite(db: Db, id: string, seq: number, change: (lines: string) => string): Promise<void> {
  const own = await db.selectFrom('journal').select('lines').where('account_id', '=', id).where('seq', '=', seq).executeTakeFirstOrThrow();
  assert.notEqual(change(own.lines), own.lines);
  await db
    .updateTable('journal')
    .set({ lines: change(own.lines) })
    .where('account_id', '=', id)
    .where('seq', '=', seq)
    .execute();
}
/** Recomputes every hash and total of the account from its present rows. */
async function rechain(db: Db, id: string): Promise<void> {
  let [head, total] = ['', 0];
  for (const { seq, at, lines } of await db.selectFrom('journal').selectAll().where('account_id', '=', id).orderBy('seq').execute()) {
    head = hash('sha256', `sightline-ledger-1\n${id}\n${seq}\n${at}\n${head}\n${lines}`, 'hex');
    total += readLines(lines).reduce((sum, { credits }) => sum + credits, 0);
    await db.updateTable('journal').set({ hash: head, total }).where('account_id', '=', id).where('seq', '=', seq).execute();
  }
  await db.updateTable('balances').set({ head }).where('account_id', '=', id).execute();
}
async function rechainAudit(db: Db): Promise<void> {
  let head = '';
  for (const row of await db.selectFrom('audit').selectAll().orderBy('seq').execute()) {
    head = hash('sha256', auditText(row.seq, row.at, row, head), 'hex');
    await db.updateTable('audit').set({ hash: head }).where('seq', '=', row.seq).execute();
  }
}
const lastAudit = async (db: Db): Promise<number> =>
  (
    await db
      .selectFrom('audit')
      .select((e) => e.fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow()
  ).seq;

/** Tampering that `ledger verify` detects from the store alone. */
const LEDGER: Record<string, readonly [(db: Db, id: string) => Promise<unknown>, RegExp]> = {
  "a link beyond the balance's sequence": [
    (db, id) => db.insertInto('journal').values(link(id, 9)).execute(),
    /link 9 belongs to no chain/,
  ],
  'a link with number 0': [(db, id) => db.insertInto('journal').values(link(id, 0)).execute(), /link 0 belongs to no chain/],
  'a link of an unknown account': [
    (db) => db.insertInto('journal').values(link('acc_none', 1)).execute(),
    /acc_none: link 1 belongs to no chain/,
  ],
  'a link with another time': [
    (db, id) => db.updateTable('journal').set({ at: 1 }).where('account_id', '=', id).where('seq', '=', 2).execute(),
    /link 2 does not fit/,
  ],
  'a link with another total': [
    (db, id) => db.updateTable('journal').set({ total: 1 }).where('account_id', '=', id).where('seq', '=', 2).execute(),
    /up to link 2 leave \d+, the link says 1/,
  ],
  'a missing link': [(db, id) => db.deleteFrom('journal').where('account_id', '=', id).where('seq', '=', 2).execute(), /link 2 is missing/],
  'the last link removed': [
    (db, id) => db.deleteFrom('journal').where('account_id', '=', id).where('seq', '=', 4).execute(),
    /links are missing between 3 and 4/,
  ],
  'a link with the hash of another': [
    (db, id) => db.updateTable('journal').set({ hash: 'x' }).where('account_id', '=', id).where('seq', '=', 4).execute(),
    /link 4 does not fit its hash/,
  ],
  'an entry added to a link': [
    (db, id) => rewrite(db, id, 2, (lines) => `${lines}\ngrant\t1\t0\t\t0\t\t\t\t`),
    /link 2 does not fit its hash/,
  ],
  'an entry removed from a link': [(db, id) => rewrite(db, id, 2, () => ''), /link 2 does not fit its hash/],
  'a line that is no entry': [(db, id) => rewrite(db, id, 3, (lines) => lines.replace('-10', 'ten')), /link 3 has a line that is no entry/],
  'an entry with another amount': [
    (db, id) => rewrite(db, id, 3, (lines) => lines.replace('capture\t-10', 'capture\t-1')),
    /link 3 does not fit its hash/,
  ],
  'an entry with another label': [(db, id) => rewrite(db, id, 1, (lines) => `${lines}x`), /link 1 does not fit its hash/],
  'a hold captured twice, and the history rechained': [
    async (db, id) => {
      await rewrite(db, id, 3, (lines) => `${lines}\n${lines}`);
      await rechain(db, id);
    },
    /capture .* in link 3: there is no such open hold/,
  ],
  'a capture above its hold, and the history rechained': [
    async (db, id) => {
      await rewrite(db, id, 3, (lines) => lines.replace('capture\t-10', 'capture\t-11'));
      await rechain(db, id);
    },
    /-11 credits, -10 held, but the hold is of 10/,
  ],
  'a hold of another amount, and the history rechained': [
    async (db, id) => {
      await rewrite(db, id, 4, (lines) => lines.replace('\t5\t', '\t1\t'));
      await rechain(db, id);
    },
    /the entries hold 1, the balance row says 5/,
  ],
  'a removed hold, and the history rechained': [
    async (db, id) => {
      await rewrite(db, id, 4, () => 'grant\t1\t0\t');
      await rechain(db, id);
    },
    /the entries hold 0, the balance row says 5/,
  ],
  'a reference that may be granted again': [
    (db) => db.deleteFrom('grant_references').execute(),
    /reference invoice-1 was granted, but may be granted again/,
  ],
  'a reference that was never granted': [
    (db, id) => db.insertInto('grant_references').values({ account_id: id, reference: 'invoice-2' }).execute(),
    /reference invoice-2 is barred, but was never granted/,
  ],
  'a reference of an unknown account': [
    (db) => db.insertInto('grant_references').values({ account_id: 'acc_none', reference: 'x' }).execute(),
    /acc_none: there are references of grants, but no balance row/,
  ],
  'a deleted balance row': [(db, id) => db.deleteFrom('balances').where('account_id', '=', id).execute(), /has no balance row/],
  'another balance': [
    (db, id) => db.updateTable('balances').set({ balance: 1000 }).where('account_id', '=', id).execute(),
    /the balance row says 1000/,
  ],
  'other held credits': [
    (db, id) => db.updateTable('balances').set({ held: 0 }).where('account_id', '=', id).execute(),
    /the balance row says 0/,
  ],
  'a balance row of an unknown account': [
    (db) => db.insertInto('balances').values({ account_id: 'acc_none', balance: 0, held: 0, seq: 0, head: '' }).execute(),
    /acc_none: there is a balance row, but no such account/,
  ],
  'a removed account': [(db, id) => db.deleteFrom('accounts').where('id', '=', id).execute(), /but no such account/],
  "an account's history removed whole, with the account": [
    async (db, id) => {
      await removeAll(db, id);
      await db.deleteFrom('balances').where('account_id', '=', id).execute();
      await db.deleteFrom('accounts').where('id', '=', id).execute();
    },
    /the account that entry \d+ of the audit log created is not there/,
  ],
  "an account's history removed whole, the balance begun anew": [
    async (db, id) => {
      await removeAll(db, id);
      await db.updateTable('balances').set({ balance: 0, held: 0, seq: 0, head: '' }).where('account_id', '=', id).execute();
    },
    /the entries grant 0 credits, the audit log says 100/,
  ],
  'a grant made larger, and the history rechained': [
    async (db, id) => {
      await rewrite(db, id, 1, (lines) => lines.replace('\t100\t', '\t900\t'));
      await db.updateTable('balances').set({ balance: 885 }).where('account_id', '=', id).execute();
      await rechain(db, id);
    },
    /the entries grant 900 credits, the audit log says 100/,
  ],
};

/** Tampering that `audit verify` detects from the store alone. */
const AUDIT: Record<string, readonly [(db: Db) => Promise<unknown>, RegExp]> = {
  'an entry with other facts': [
    (db) => db.updateTable('audit').set({ facts: '{}' }).where('seq', '=', 2).execute(),
    /entry 2 does not fit its hash/,
  ],
  'an entry by another actor': [
    (db) => db.updateTable('audit').set({ actor: 'x' }).where('seq', '=', 1).execute(),
    /entry 1 does not fit its hash/,
  ],
  'a missing entry': [(db) => db.deleteFrom('audit').where('seq', '=', 2).execute(), /entry 2 is missing/],
  'a missing last entry': [
    async (db) =>
      db
        .deleteFrom('audit')
        .where('seq', '=', await lastAudit(db))
        .execute(),
    /entries were written, the last one there is/,
  ],
  'an entry with number 0': [
    (db) => db.insertInto('audit').values({ seq: 0, at: 0, actor: '', action: '', subject: '', facts: '{}', hash: '' }).execute(),
    /entry 0 belongs to no chain/,
  ],
  'an entry that was not counted': [
    (db) => db.updateTable('changes').set({ n: 1 }).where('name', '=', 'audit').execute(),
    /1 entries were written, but there is an entry/,
  ],
  'no count': [(db) => db.deleteFrom('changes').where('name', '=', 'audit').execute(), /the row that counts the entries is missing/],
};

/** Tampering beside the chains, which the events of the audit log reveal. `ids`: subjects of the scene that `withEvents` made. */
const TABLES: Record<string, readonly [(db: Db, ids: Awaited<ReturnType<typeof withEvents>>) => Promise<unknown>, RegExp]> = {
  'a key that is valid again': [
    (db, { revoked }) => db.updateTable('keys').set({ revoked_at: null }).where('id', '=', revoked).execute(),
    /key key_\w+: revoked is false, the audit log says true/,
  ],
  'a rerolled key that is valid again': [
    (db, { rerolled }) => db.updateTable('keys').set({ revoked_at: null }).where('id', '=', rerolled).execute(),
    /key key_\w+: revoked is false/,
  ],
  'a removed cap': [
    (db, { capped }) => db.updateTable('keys').set({ cap_day: null }).where('id', '=', capped).execute(),
    /cap_day is null, the audit log says 7/,
  ],
  'a cap of a rerolled key that was removed': [
    (db, { next }) => db.updateTable('keys').set({ cap_month: null }).where('id', '=', next).execute(),
    /cap_month is null, the audit log says 9/,
  ],
  'a key that was given the right to manage keys': [
    (db, { capped }) => db.updateTable('keys').set({ manage: 1 }).where('id', '=', capped).execute(),
    /manage is 1, the audit log says 0/,
  ],
  'a key whose spending is counted elsewhere': [
    (db, { next }) => db.updateTable('keys').set({ counted_as: null }).where('id', '=', next).execute(),
    /counted_as is null, the audit log says "key_/,
  ],
  'a key that was moved to another account': [
    (db, { capped, accountId }) => db.updateTable('keys').set({ account_id: accountId }).where('id', '=', capped).execute(),
    /account_id is "acc_\w+", the audit log says "acc_/,
  ],
  'a replaced hash': [
    (db, { capped }) =>
      db
        .updateTable('keys')
        .set({ hash: 'f'.repeat(64) })
        .where('id', '=', capped)
        .execute(),
    /hash is "f+", the audit log says/,
  ],
  'an inserted key': [
    async (db, { capped }) => {
      const row = await db.selectFrom('keys').selectAll().where('id', '=', capped).executeTakeFirstOrThrow();
      await db
        .insertInto('keys')
        .values({ ...row, id: 'key_new', hash: 'x' })
        .execute();
    },
    /key key_new: no event of the audit log made it/,
  ],
  'a removed key': [(db, { capped }) => db.deleteFrom('keys').where('id', '=', capped).execute(), /key key_\w+: .* but it is not there/],
  'a client that is valid again': [
    (db, { client }) => db.updateTable('clients').set({ revoked_at: null }).where('id', '=', client).execute(),
    /client cli_\w+: revoked is false, the audit log says true/,
  ],
  'a client with another secret': [
    (db, { client }) => db.updateTable('clients').set({ secret_hash: 'x' }).where('id', '=', client).execute(),
    /secret_hash is "x"/,
  ],
  'a suspension that was lifted': [
    (db, { suspended }) => db.updateTable('accounts').set({ suspended_at: null }).where('id', '=', suspended).execute(),
    /account acc_\w+: suspended is false, the audit log says true/,
  ],
  'an inserted session': [
    (db, { accountId }) =>
      db
        .insertInto('sessions')
        .values({ hash: 'x', id: 'ses_new', account_id: accountId, created_at: 0, last_used_at: 0, expires_at: 9e12 })
        .execute(),
    /session ses_new: no event of the audit log made it/,
  ],
  'a session that opens with another token': [
    (db, { session }) => db.updateTable('sessions').set({ hash: 'x' }).where('id', '=', session).execute(),
    /session ses_\w+: hash is "x"/,
  ],
  'a session that ended and is there again': [
    (db, { ended }) => db.insertInto('sessions').values(ended).execute(),
    /session ses_\w+: ended is false, the audit log says true/,
  ],
};

/** Keys, clients, accounts and sessions with a history. */
async function withEvents({ accounts: { admin, sessions, store } }: Scene) {
  const { accountId } = await admin.createAccount({ name: 'third' });
  const { accountId: suspended } = await admin.createAccount({ name: 'suspended' });
  await admin.renameAccount({ accountId: suspended, name: 'renamed' });
  const { keyId: capped } = await admin.createKey({ accountId: suspended, creditsPerDay: 5 });
  await admin.editKey({ keyId: capped, creditsPerDay: 7 });
  const { keyId: revoked } = await admin.createKey({ accountId });
  await admin.revokeKey({ keyId: revoked });
  const { keyId: rerolled } = await admin.createKey({ accountId, creditsPerMonth: 9 });
  const { keyId: graced } = await admin.rerollKey({ keyId: rerolled });
  const { keyId: next } = await admin.rerollKey({ keyId: graced, graceMs: 60_000 });
  const { clientId: client } = await admin.createClient({ accountId, scopes: ['traffic'] });
  await admin.revokeClient({ clientId: client });
  await admin.suspendAccount({ accountId: suspended });
  const { accountId: gone } = await admin.createAccount({ name: 'gone', credits: 3 });
  await admin.createKey({ accountId: gone });
  await admin.deleteAccount({ accountId: gone });
  const owner = { kind: 'account', accountId, keyId: next } as const;
  const { sessionId: session } = await sessions.open(owner);
  const { token, sessionId } = await sessions.open(owner);
  const ended = await store.db.selectFrom('sessions').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow();
  await sessions.end(token);
  return { accountId, suspended, capped, revoked, rerolled, next, client, session, ended };
}

/** Tampering that the store alone cannot reveal, and the message of the check against an anchor. */
const ANCHORED: Record<string, readonly ['ledger' | 'audit', (db: Db, id: string) => Promise<unknown>, RegExp]> = {
  'a tail of the ledger cut, with the balance set back': [
    'ledger',
    async (db, id) => {
      await db.deleteFrom('journal').where('account_id', '=', id).where('seq', '>', 1).execute();
      await db.updateTable('balances').set({ balance: 100, held: 0, seq: 1 }).where('account_id', '=', id).execute();
      await rechain(db, id);
    },
    /link 4, which the anchor of .* has, is missing: the end of the chain was cut/,
  ],
  'a ledger that was rewritten and rechained': [
    'ledger',
    async (db, id) => {
      await rewrite(db, id, 3, (lines) => lines.replace('capture\t-10', 'capture\t-1'));
      await db.updateTable('balances').set({ balance: 94 }).where('account_id', '=', id).execute();
      await rechain(db, id);
    },
    /link 4 is not the one that the anchor of .* has: the chain was rewritten/,
  ],
  'a tail of the audit log cut, with the count set back': [
    'audit',
    async (db) => {
      const last = await lastAudit(db);
      await db.deleteFrom('audit').where('seq', '=', last).execute();
      await db.deleteFrom('keys').execute(); // what the entry states goes with it
      await db
        .updateTable('changes')
        .set({ n: last - 1 })
        .where('name', '=', 'audit')
        .execute();
    },
    /which the anchor of .* has, is missing: the end of the log was cut/,
  ],
  'an audit log that was rewritten and rechained': [
    'audit',
    async (db) => {
      await db.updateTable('audit').set({ actor: 'somebody else' }).where('seq', '=', 1).execute();
      await rechainAudit(db);
    },
    /is not the one that the anchor of .* has: the log was rewritten/,
  ],
};

for (const backend of BACKENDS)
  describe(`tampering with the store: ${backend.name}`, { skip: backend.skip }, () => {
    const within = async (work: (s: Scene) => Promise<void>) => {
      const s = await scene(backend);
      try {
        await work(s);
      } finally {
        await s.close();
      }
    };

    describe('each of one scene, which is put back', () => {
      let plain: Scene;
      let eventful: Scene;
      let ids: Awaited<ReturnType<typeof withEvents>>;
      before(async () => {
        [plain, eventful] = [await scene(backend), await scene(backend)];
        ids = await withEvents(eventful);
      });
      after(async () => {
        for (const s of [plain, eventful]) await s.close();
      });
      const tampered = async (s: Scene, part: 'ledger' | 'audit', tamper: (db: Db) => Promise<unknown>, check: () => Promise<void>) => {
        assert.equal(await s[part](), '');
        try {
          await s.tamper(tamper);
          await check();
        } finally {
          await s.restore();
        }
      };
      const finds = (s: Scene, part: 'ledger' | 'audit', tamper: (db: Db) => Promise<unknown>, says: RegExp) =>
        tampered(s, part, tamper, async () => assert.match(await s[part](), says));

      for (const [what, [tamper, says]] of Object.entries(LEDGER))
        test(`ledger verify finds ${what}`, () => finds(plain, 'ledger', (db) => tamper(db, plain.id), says));

      for (const [what, [tamper, says]] of Object.entries(AUDIT))
        test(`audit verify finds ${what}`, () => finds(plain, 'audit', tamper, says));

      for (const [what, [tamper, says]] of Object.entries(TABLES))
        test(`audit verify finds ${what}`, () => finds(eventful, 'audit', (db) => tamper(db, ids), says));

      for (const [what, [part, tamper, says]] of Object.entries(ANCHORED))
        test(`an anchor finds ${what}, which the store alone cannot reveal`, async () => {
          const { line } = await plain.accounts.admin.anchorLedger();
          assert.equal(await plain[part](line), '');
          const change = (db: Db) => tamper(db, plain.id);
          await tampered(plain, part, change, async () => {
            assert.equal(await plain[part](), '');
            assert.match(await plain[part](`${line}\n`), says);
          });
        });
    });

    test('what was written since an anchor is no fault', () =>
      within(async (s) => {
        const { line } = await s.accounts.admin.anchorLedger();
        await s.accounts.admin.grant({ accountId: s.id, credits: 1 });
        await s.accounts.admin.grant({ accountId: s.id, credits: -1 });
        for (const prove of [s.ledger, s.audit]) assert.equal(await prove(line), '');
      }));

    test('an anchor that was changed, was signed with another secret, or is not an anchor is rejected', () =>
      within(async (s) => {
        const { line } = await s.accounts.admin.anchorLedger();
        for (const prove of [s.ledger, s.audit]) {
          assert.equal(await prove(line), '');
          assert.match(await prove(line.replace('victim', 'x').replace(/seq/, 'sEq')), /line 1 does not fit its signature/);
          assert.match(await prove(`${line}\n{"anchor":"x"}`), /line 2 cannot be read/);
          assert.match(await prove('\n'), /there is no line/);
        }
      }));
  });

test('an export for an audit holds no private key and no secret, and is never written over something', async (t) => {
  const [folder, to] = [mkdtempSync(join(tmpdir(), 'sightline-export-')), mkdtempSync(join(tmpdir(), 'sightline-export-'))];
  t.after(() => [folder, to].forEach((each) => void rmSync(each, { recursive: true })));
  const settings = readSettings({ SIGHTLINE_DATA_DIR: folder, SIGHTLINE_SECRET: 'a secret of sixteen or more' });
  const accounts = await openAccounts({ settings, clock: createManualClock(), log: silent });
  const { accountId } = await accounts.admin.createAccount({ name: 'owner' });
  const { key } = await accounts.admin.createKey({ accountId });
  await accounts.admin.rotateSigningKey({});
  const sealed = (await accounts.store.db.selectFrom('signing_keys').select('sealed').execute()).map((row) => row.sealed);
  assert.ok(sealed.length > 0);
  // the service goes on meanwhile
  assert.ok((await exportForAudit(settings, to)) > 5);
  await accounts.close();
  const bytes = readdirSync(to).map((name) => readFileSync(join(to, name), 'latin1'));
  for (const secret of [key, 'a secret of sixteen or more', ...sealed]) assert.ok(!bytes.some((each) => each.includes(secret)));
  await assert.rejects(exportForAudit(settings, to), /the folder is not empty. Name a new one/);
});

test('anchors are appended to a file at the start and then regularly; a file that cannot be written is logged once', async () => {
  const s = await scene(BACKENDS[0] ?? assert.fail('the embedded store is always there'));
  const clock = createManualClock();
  const { admin } = s.accounts;
  const logged: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'sightline-anchors-'));
  const file = join(folder, 'anchors');
  const hourly = 3_600_000;
  const log = (_: string, message: string) => void logged.push(message);
  const written = () => readFileSync(file, 'utf8').trim().split('\n').length;
  const writer = writeAnchors(file, admin, clock, log);
  await clock.whenSleeping(1);
  assert.equal(written(), 1);
  await clock.advance(hourly);
  await clock.whenSleeping(1);
  assert.equal(written(), 2);
  await writer.close();
  assert.equal(await s.ledger(readFileSync(file, 'utf8')), '');
  assert.deepEqual(logged, []);
  const failing = writeAnchors('/dev/null/anchors', admin, clock, log);
  await clock.whenSleeping(1);
  await failing.close();
  assert.deepEqual(logged, ['ledger: an anchor could not be written']);
  await s.close();
  rmSync(folder, { recursive: true });
});
