import type { importJWK, JWK, JWTPayload } from 'jose';
import type { Kysely, Transaction } from 'kysely';
import { type Clock, DAY_MS, HOUR_MS } from '../../runtime/clock.ts';
import { singleFlight } from '../../runtime/single-flight.ts';
import { countChange } from '../../store/changes.ts';
import type { Store, StoreLog } from '../../store/store.ts';
import type { SigningKeyRow, Tables } from '../../store/tables.ts';
import { writeAudit } from '../admin/audit.ts';
import type { Sealer } from './sealer.ts';

export const PERIOD_MS = 30 * DAY_MS;
/** A new key is published this long before it signs, so that verifiers that cache the key set have fetched it. */
export const LEAD_MS = DAY_MS;
/** A key stays published this long after its successor begins to sign: longer than the longest token lifetime. */
export const OVERLAP_MS = 2 * HOUR_MS;
const COOLDOWN_MS = 5_000;

export type ImportedKey = Awaited<ReturnType<typeof importJWK>>;
/** jose is imported with the first token: most installations use no OAuth. */
export const importKey = async (jwk: JWK, alg: string): Promise<ImportedKey> => (await import('jose')).importJWK(jwk, alg);
export interface VerifyingKey {
  readonly alg: string;
  readonly key: ImportedKey;
}
export type SigningKeys = ReturnType<typeof createSigningKeys>;
export interface SigningParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly alg: 'EdDSA' | 'RS256';
  readonly sealer: () => Sealer | null;
}

interface Key extends SigningKeyRow {
  readonly jwk: JWK;
  verifying: Promise<VerifyingKey> | null;
  signing: Promise<ImportedKey> | null;
}

export function createSigningKeys({ store, clock, log, alg, sealer }: SigningParts) {
  let keys: readonly Key[] = [];
  let loadedAt = Number.NEGATIVE_INFINITY;

  async function read(db: Kysely<Tables>): Promise<readonly Key[]> {
    const rows = await db.selectFrom('signing_keys').selectAll().where('dropped_at', 'is', null).orderBy('signs_from').execute();
    return rows.map(
      (row) => keys.find((k) => k.kid === row.kid) ?? { ...row, jwk: JSON.parse(row.public), verifying: null, signing: null },
    );
  }
  const load = singleFlight(async () => {
    const asked = clock.now();
    keys = await read(store.db);
    loadedAt = asked;
  });
  async function current(): Promise<readonly Key[]> {
    if (loadedAt === Number.NEGATIVE_INFINITY) await load();
    const now = clock.now();
    return keys.filter((key, i) => {
      const next = keys.slice(i + 1).find((k) => k.alg === key.alg);
      return !next || now < next.signs_from + OVERLAP_MS;
    });
  }

  /** The private key, or null if it was encrypted with another secret. */
  function opened(key: Key): Promise<ImportedKey> | null {
    if (key.signing) return key.signing;
    const text = sealer()?.open(key.kid, key.sealed);
    if (!text) return null;
    key.signing = importKey(JSON.parse(text) as JWK, key.alg);
    return key.signing;
  }
  /** Keys that this service can sign with, sorted by the time from which they sign. */
  const usable = (all: readonly Key[]): Key[] => all.filter((k) => k.alg === alg && opened(k) !== null);
  /** Time from which a new key must sign; null: no new key is due. */
  function due(all: readonly Key[]): number | null {
    const now = clock.now();
    const able = usable(all);
    if (!able.some((k) => k.signs_from <= now)) return now;
    const newest = able.at(-1);
    return newest && newest.signs_from + PERIOD_MS - LEAD_MS <= now ? now + LEAD_MS : null;
  }

  /** Generated outside the transaction: RSA key generation would hold it open too long. */
  async function make(): Promise<Omit<SigningKeyRow, 'created_at' | 'signs_from' | 'dropped_at'>> {
    const seal = sealer();
    if (!seal) throw new Error('SIGHTLINE_SECRET is not set: no key can be kept');
    const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
    const pair = await generateKeyPair(alg, { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(jwk);
    const sealed = seal.seal(kid, JSON.stringify(await exportJWK(pair.privateKey)));
    return { kid, alg, public: JSON.stringify({ ...jwk, kid, alg, use: 'sig' }), sealed };
  }
  async function insert(trx: Transaction<Tables>, made: Awaited<ReturnType<typeof make>>, from: number, actor: string): Promise<void> {
    const now = clock.now();
    await trx
      .insertInto('signing_keys')
      .values({ ...made, created_at: now, signs_from: from, dropped_at: null })
      .execute();
    await writeAudit(trx, now, {
      actor,
      action: 'signing-key.create',
      subject: made.kid,
      facts: { alg, signsFrom: from, public: made.public },
    });
    await countChange(trx);
  }
  const renew = singleFlight(async () => {
    const made = await make();
    const from = await store.db.transaction().execute(async (trx) => {
      await countChange(trx, 'signing');
      const still = due(await read(trx));
      if (still !== null) await insert(trx, made, still, 'service');
      return still;
    });
    if (from !== null) log('info', 'oauth: signing key made', { kid: made.kid, alg, from: new Date(from).toISOString() });
    await load();
  });
  async function prepare(): Promise<void> {
    if (due(await current()) !== null) await renew();
  }

  return {
    prepare,
    async sign(claims: JWTPayload, type: string): Promise<string> {
      await prepare();
      const now = clock.now();
      const key = usable(await current()).findLast((k) => k.signs_from <= now);
      const signing = key && opened(key);
      if (!key || !signing) throw new Error('there is no key to sign with');
      const { SignJWT } = await import('jose');
      return new SignJWT(claims).setProtectedHeader({ alg: key.alg, typ: type, kid: key.kid }).sign(await signing);
    },
    /** A public key of this service that is still accepted; null: none with this id. */
    async find(kid: string): Promise<VerifyingKey | null> {
      const known = (all: readonly Key[]) => all.find((k) => k.kid === kid);
      let key = known(await current());
      // another gateway may have created it meanwhile
      if (!key && clock.now() - loadedAt > COOLDOWN_MS) {
        await load();
        key = known(await current());
      }
      if (!key) return null;
      const { jwk, alg: keyAlg } = key;
      key.verifying ??= importKey(jwk, keyAlg).then((imported) => ({ alg: keyAlg, key: imported }));
      return key.verifying;
    },
    /** The public keys: current, next, and previous ones whose tokens may still be valid. */
    published: async (): Promise<readonly JWK[]> => (await current()).map((k) => k.jwk),
    /** Creates a key and signs with it from now on; with `drop` all other keys are no longer accepted. */
    async rotate(actor: string, drop: boolean) {
      const now = clock.now();
      const made = await make();
      const dropped = await store.db.transaction().execute(async (trx) => {
        await countChange(trx, 'signing');
        let ended = 0;
        if (drop) {
          const all = trx.updateTable('signing_keys').set({ dropped_at: now }).where('dropped_at', 'is', null);
          ended = Number((await all.executeTakeFirst()).numUpdatedRows);
          await writeAudit(trx, now, { actor, action: 'signing-key.drop', subject: 'all', facts: { dropped: ended } });
        }
        await insert(trx, made, now, actor);
        return ended;
      });
      await load();
      return { kid: made.kid, dropped };
    },
    forget(): void {
      loadedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
