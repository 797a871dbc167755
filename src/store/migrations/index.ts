import { MIGRATION_0001 } from './0001_initial.ts';
import { MIGRATION_0002 } from './0002_oauth.ts';
import { MIGRATION_0003 } from './0003_charge_function.ts';
import { MIGRATION_0004 } from './0004_account_states.ts';
import { MIGRATION_0005 } from './0005_request_log.ts';
import { MIGRATION_0006 } from './0006_sessions.ts';
import { MIGRATION_0007 } from './0007_field_hours.ts';
import { MIGRATION_0008 } from './0008_key_rights.ts';
import { MIGRATION_0009 } from './0009_grants.ts';

/** SQL statements of one migration, per backend. A released migration is never changed: a change of the schema is a new file. */
export interface SchemaMigration {
  readonly embedded: readonly string[];
  readonly postgres: readonly string[];
}

/** All migrations by name. They run in the order of their names. */
export const MIGRATIONS: Readonly<Record<string, SchemaMigration>> = {
  '0001_initial': MIGRATION_0001,
  '0002_oauth': MIGRATION_0002,
  '0003_charge_function': MIGRATION_0003,
  '0004_account_states': MIGRATION_0004,
  '0005_request_log': MIGRATION_0005,
  '0006_sessions': MIGRATION_0006,
  '0007_field_hours': MIGRATION_0007,
  '0008_key_rights': MIGRATION_0008,
  '0009_grants': MIGRATION_0009,
};
