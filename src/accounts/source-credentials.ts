import type { Clock } from '../runtime/clock.ts';
import { instant } from '../runtime/clock.ts';
import { countChange } from '../store/changes.ts';
import type { Store } from '../store/store.ts';
import { writeAudit } from './admin/audit.ts';
import type { Sealer } from './oauth/sealer.ts';

export interface StoredCredential {
  /** Null: it was sealed with another secret. */
  readonly value: string | null;
  readonly hint: string;
  readonly setAt: string;
}
export type SourceCredentials = ReturnType<typeof createSourceCredentials>;

const sealName = (name: string): string => `source ${name}`;
/** The last four characters, by which a person tells credentials apart; of a short one nothing. */
const hintOf = (value: string): string => (value.length >= 12 ? `…${value.slice(-4)}` : '…');

/** Credentials of sources in the store, sealed with the secret of the service, with their audit entries. */
export function createSourceCredentials({ db }: Pick<Store, 'db'>, sealer: Sealer | null, clock: Pick<Clock, 'now'>) {
  return {
    async read(): Promise<ReadonlyMap<string, StoredCredential>> {
      const rows = await db.selectFrom('source_credentials').selectAll().execute();
      return new Map(
        rows.map(({ name, sealed, hint, set_at }): [string, StoredCredential] => [
          name,
          { value: sealer?.open(sealName(name), sealed) ?? null, hint, setAt: instant(Number(set_at)) },
        ]),
      );
    },
    /** Whether values can be stored: the service has a secret to seal them with. */
    canKeep: sealer !== null,
    /** Keeps the credentials of a source; every process of the store reads them within a second. */
    async keep(source: string, values: ReadonlyMap<string, string>): Promise<void> {
      if (!sealer) throw new Error('credentials without a secret');
      const now = clock.now();
      await db.transaction().execute(async (trx) => {
        await countChange(trx);
        for (const [name, value] of values) {
          const row = { sealed: sealer.seal(sealName(name), value), hint: hintOf(value), set_at: now };
          const insert = trx.insertInto('source_credentials').values({ name, ...row });
          await insert.onConflict((conflict) => conflict.column('name').doUpdateSet(row)).execute();
        }
        await writeAudit(trx, now, {
          actor: 'operator',
          action: 'source.credentials',
          subject: source,
          facts: { names: [...values.keys()] },
        });
      });
    },
    /** Removes the credentials of a source; false: there were none. */
    async remove(source: string, names: readonly string[]): Promise<boolean> {
      const now = clock.now();
      return db.transaction().execute(async (trx) => {
        const gone = await trx.deleteFrom('source_credentials').where('name', 'in', names).returning('name').execute();
        if (gone.length === 0) return false;
        await countChange(trx);
        const facts = { names: gone.map(({ name }) => name) };
        await writeAudit(trx, now, { actor: 'operator', action: 'source.credentials.remove', subject: source, facts });
        return true;
      });
    },
  };
}
