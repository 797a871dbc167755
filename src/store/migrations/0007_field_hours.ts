const tables = (clustered: '' | ' without rowid') => [
  `create table field_hours (source text not null, stream text not null, field text not null, hour bigint not null, answers bigint not null,
          missing bigint not null, unread bigint not null, drifting bigint not null, primary key (stream, field, hour))${clustered}`,
  'create index field_hours_hour on field_hours (hour)',
];

/** Version 7: hourly sums of the fields of each source: answers, missing, unread. */
export const MIGRATION_0007 = { embedded: tables(' without rowid'), postgres: tables('') };
