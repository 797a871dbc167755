import { lazyReader } from '../../lazily.ts';
import type { ReaderEntries } from '../../source.ts';

/** The platform's internal result object, returned by data providers only: no built-in source requests it. */
export const graphqlReaders: ReaderEntries = {
  'microblog/graphql': lazyReader('microblog-post', async () => (await import('./parse.ts')).readMicroblogGraphql),
};
