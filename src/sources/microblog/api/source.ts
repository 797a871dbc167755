import { lazily, lazyReader } from '../../lazily.ts';

/** The X API v2 with the operator's own bearer token. */
export const microblogApi = lazily({
  id: 'microblog/api',
  operations: ['microblog-post'],
  needs: ['X_BEARER_TOKEN'],
  dailyCap: (s) => ({ key: 'microblog/api', maxRequests: s.SIGHTLINE_X_DAILY_READS, maxUsd: s.SIGHTLINE_X_DAILY_USD }),
  knowsAbsence: true,
  readers: {
    'microblog/api': lazyReader('microblog-post', async () => (await import('./parse.ts')).readMicroblogApi),
  },
  about: "X API v2 with the operator's own token; each post read is billed by the platform",
  load: async () => (await import('./connector.ts')).open,
});
