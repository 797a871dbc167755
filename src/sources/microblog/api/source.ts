import { lazily, lazyReader } from '../../source.ts';
import { dailyCapOf } from '../../source-budget.ts';

export const microblogApi = lazily({
  id: 'microblog/api',
  operations: ['microblog-post'],
  needs: ['X_BEARER_TOKEN'],
  dailyCap: (s) => dailyCapOf(s, 'x', 'microblog/api'),
  readers: { 'microblog/api': lazyReader('microblog-post', async () => (await import('./parse.ts')).readMicroblogApi) },
  about: "X API v2 with the operator's own token; each post read is billed by the platform",
  load: async () => (await import('./connector.ts')).open,
});
