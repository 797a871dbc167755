// Own process: it computes for long.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { writeAnchors } from '../../src/accounts/admin/anchor-file.ts';
import { auditText } from '../../src/accounts/admin/audit.ts';
import { readSettings } from '../../src/settings.ts';
import { entryLine, linkText } from '../../src/store/batch.ts';
import type { Tables } from '../../src/store/tables.ts';
import { BACKENDS, type Backend, silent } from '../ledger/backends.ts';
import { createManualClock } from '../support/manual-clock.ts';

type Db = Kysely<Tables>;
interface Scene {
  readonly accounts: OpenAccounts;
  /** Chain: 1 a grant of 100, 2 a hold of 10, 3 its capture, 4 an open hold of 5. */
  readonly id: string;
  /** Changes rows with the rights of the database owner: triggers and foreign keys are disabled. */
  tamper(work: (db: Db) => Promise<unknown>): Promise<void>;
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
  await admin.createKey({ accountId: other.accountId });
  return {
    accounts,
    id,
    async tamper(work) {
      if (store.kind === 'embedded') {
        for (const table of ['entries', 'links', 'audit'])
          for (const verb of ['update', 'delete']) await sql.raw(`drop trigger ${table}_no_${verb}`).execute(store.db);
        await sql`pragma foreign_keys = off`.execute(store.db);
        await work(store.db);
      } else
        await store.db.transaction().execute(async (trx) => {
          await sql`set local session_replication_role = replica`.execute(trx);
          await work(trx);
        });
    },
    ledger: async (anchor) => (await admin.verifyLedger(anchor === undefined ? {} : { anchor })).faults.join('\n'),
    audit: async (anchor) => (await admin.verifyAudit(anchor === undefined ? {} : { anchor })).faults.join('\n'),
    async close() {
      await accounts.close();
      await bench.drop();
    },
  };
}

const entry = (account_id: string, link: number, n: number) =>
  ({ account_id, link, n, kind: 'grant', credits: 1, held: 0, hold: '', key_id: '', operation: '', label: '' }) as const;

async function removeAll(db: Db, id: string): Promise<void> {
  for (const table of ['links', 'entries', 'holds', 'keys'] as const) await db.deleteFrom(table).where('account_id', '=', id).execute();
}
/** Recomputes every hash of the account from its present entries. */
async function rechain(db: Db, id: string): Promise<void> {
  let head = '';
  for (const link of await db.selectFrom('links').selectAll().where('account_id', '=', id).orderBy('seq').execute()) {
    const rows = await db
      .selectFrom('entries')
      .selectAll()
      .where('account_id', '=', id)
      .where('link', '=', link.seq)
      .orderBy('n')
      .execute();
    const lines = rows.map((e) => entryLine(e.kind, e.credits, e.held, e.hold, e.key_id, e.operation, e.label));
    head = hash('sha256', linkText(id, link.seq, link.at, head, lines), 'hex');
    await db.updateTable('links').set({ hash: head }).where('account_id', '=', id).where('seq', '=', link.seq).execute();
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
    (db, id) => db.insertInto('links').values({ account_id: id, seq: 9, at: 0, entries: 0, hash: 'x' }).execute(),
    /link 9 belongs to no chain/,
  ],
  'a link with number 0': [
    (db, id) => db.insertInto('links').values({ account_id: id, seq: 0, at: 0, entries: 0, hash: 'x' }).execute(),
    /link 0 belongs to no chain/,
  ],
  'a link of an unknown account': [
    (db) => db.insertInto('links').values({ account_id: 'acc_none', seq: 1, at: 0, entries: 0, hash: 'x' }).execute(),
    /acc_none: link 1 belongs to no chain/,
  ],
  'a link with another time': [
    (db, id) => db.updateTable('links').set({ at: 1 }).where('account_id', '=', id).where('seq', '=', 2).execute(),
    /link 2 does not fit/,
  ],
  'a missing link': [(db, id) => db.deleteFrom('links').where('account_id', '=', id).where('seq', '=', 2).execute(), /link 2 is missing/],
  'entries with link 0': [
    (db, id) =>
      db
        .insertInto('entries')
        .values(entry(id, 0, 0))
        .execute(),
    /entries name link 0/,
  ],
  'entries of an unknown account': [
    (db) =>
      db
        .insertInto('entries')
        .values(entry('acc_none', 1, 0))
        .execute(),
    /acc_none: entries name link 1/,
  ],
  'an entry added to a link': [
    (db, id) =>
      db
        .insertInto('entries')
        .values(entry(id, 2, 7))
        .execute(),
    /link 2 has 2 entries, 1 were written/,
  ],
  'an entry removed from a link': [
    (db, id) => db.deleteFrom('entries').where('account_id', '=', id).where('link', '=', 2).execute(),
    /link 2 has 0 entries/,
  ],
  'an entry with another amount': [
    (db, id) => db.updateTable('entries').set({ credits: -1 }).where('account_id', '=', id).where('link', '=', 3).execute(),
    /link 3 does not fit its hash/,
  ],
  'an entry with another label': [
    (db, id) => db.updateTable('entries').set({ label: 'x' }).where('account_id', '=', id).where('link', '=', 1).execute(),
    /link 1 does not fit its hash/,
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
  'a hold of another amount': [
    (db, id) => db.updateTable('holds').set({ amount: 1 }).where('account_id', '=', id).execute(),
    /of 1 credits has no open entry/,
  ],
  'a removed hold': [(db, id) => db.deleteFrom('holds').where('account_id', '=', id).execute(), /is open by its entries, but not there/],
  'a hold of an unknown account': [
    (db) =>
      db
        .insertInto('holds')
        .values({ id: 'h', account_id: 'acc_none', key_id: '', amount: 1, created_at: 0, expires_at: 0, capped: 0 })
        .execute(),
    /acc_none: there are open holds, but no balance row/,
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
      await db.updateTable('entries').set({ credits: 900 }).where('account_id', '=', id).where('link', '=', 1).execute();
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
      for (const [table, column] of [
        ['entries', 'link'],
        ['links', 'seq'],
      ] as const)
        await sql`delete from ${sql.table(table)} where account_id = ${id} and ${sql.ref(column)} > 1`.execute(db);
      await db.deleteFrom('holds').where('account_id', '=', id).execute();
      await db.updateTable('balances').set({ balance: 100, held: 0, seq: 1 }).where('account_id', '=', id).execute();
      await rechain(db, id);
    },
    /link 4, which the anchor of .* has, is missing: the end of the chain was cut/,
  ],
  'a ledger that was rewritten and rechained': [
    'ledger',
    async (db, id) => {
      await db.updateTable('entries').set({ credits: -1 }).where('account_id', '=', id).where('link', '=', 3).execute();
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

    for (const [what, [tamper, says]] of Object.entries(LEDGER))
      test(`ledger verify finds ${what}`, () =>
        within(async (s) => {
          assert.equal(await s.ledger(), '');
          await s.tamper((db) => tamper(db, s.id));
          assert.match(await s.ledger(), says);
        }));

    for (const [what, [tamper, says]] of Object.entries(AUDIT))
      test(`audit verify finds ${what}`, () =>
        within(async (s) => {
          assert.equal(await s.audit(), '');
          await s.tamper(tamper);
          assert.match(await s.audit(), says);
        }));

    for (const [what, [tamper, says]] of Object.entries(TABLES))
      test(`audit verify finds ${what}`, () =>
        within(async (s) => {
          const ids = await withEvents(s);
          assert.equal(await s.audit(), '');
          await s.tamper((db) => tamper(db, ids));
          assert.match(await s.audit(), says);
        }));

    for (const [what, [part, tamper, says]] of Object.entries(ANCHORED))
      test(`an anchor finds ${what}, which the store alone cannot reveal`, () =>
        within(async (s) => {
          const { line } = await s.accounts.admin.anchorLedger();
          await s.accounts.admin
            .grant({ accountId: s.id, credits: 1 })
            .then(() => s.accounts.admin.grant({ accountId: s.id, credits: -1 }));
          assert.equal(await s[part](line), '', 'what was written since is no fault');
        }).then(() =>
          within(async (s) => {
            const { line } = await s.accounts.admin.anchorLedger();
            await s.tamper((db) => tamper(db, s.id));
            assert.equal(await s[part](), '');
            assert.match(await s[part](`${line}\n`), says);
          }),
        ));

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

test('anchors are appended to a file at the start and then regularly; a file that cannot be written is logged once', async () => {
  const s = await scene(BACKENDS[0] ?? assert.fail('the embedded store is always there'));
  const clock = createManualClock();
  const { admin } = s.accounts;
  const logged: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'sightline-anchors-'));
  const file = join(folder, 'anchors');
  const parts = { admin, clock, log: (_: string, message: string) => void logged.push(message), everyMs: 60_000 };
  const written = () => readFileSync(file, 'utf8').trim().split('\n').length;
  const writer = writeAnchors({ ...parts, file });
  await clock.whenSleeping(1);
  assert.equal(written(), 1);
  await clock.advance(60_000);
  await clock.whenSleeping(1);
  assert.equal(written(), 2);
  await writer.close();
  assert.equal(await s.ledger(readFileSync(file, 'utf8')), '');
  assert.deepEqual(logged, []);
  const failing = writeAnchors({ ...parts, file: '/dev/null/anchors' });
  await clock.whenSleeping(1);
  await failing.close();
  assert.deepEqual(logged, ['ledger: an anchor could not be written']);
  await s.close();
  rmSync(folder, { recursive: true });
});
