const STATEMENTS = [
  'alter table usage add column target text',
  'alter table usage add column details text',
  'create index usage_account on usage (account_id, id)',
  'create index usage_request on usage (request_id, id)',
];

/** Version 5: usage rows keep what the request log shows: target, attempts, receipt. Read by account and by request id. */
export const MIGRATION_0005 = { embedded: STATEMENTS, postgres: STATEMENTS };
