import { type DatabaseIntrospector, type Kysely, PostgresDialect, PostgresIntrospector, sql, type TableMetadata } from 'kysely';

/**
 * Kysely's Migrator looks for its own tables by name in all schemas of the database. It would then find the tables of an
 * installation in another schema, and the query fails if a schema is dropped meanwhile. So only tables of the current schema are reported.
 */
class CurrentSchemaIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;
  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }
  override async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ schema: string; name: string }>`
      select schemaname as schema, tablename as name from pg_tables where schemaname = current_schema()`.execute(this.#db);
    return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }));
  }
}

export class CurrentSchemaDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new CurrentSchemaIntrospector(db);
  }
}
