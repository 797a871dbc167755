/**
 * Rankings read the places of thousands of answers: without this, the embedded store walks through each answer to what stands behind it.
 * PostgreSQL keeps large answers apart from their rows.
 */
export const MIGRATION_0011 = {
  embedded: ['create index watch_bodies_places on watch_bodies (watch, hash, places)'],
  postgres: [],
};
