import { lazyReader } from '../../lazily.ts';
import type { ReaderEntries } from '../../source.ts';

/** The platform's internal result object, which only data providers return: no source of ours requests it. */
export const graphqlReaders: ReaderEntries = {
  'microblog/graphql': lazyReader('microblog-post', async () => (await import('./parse.ts')).readMicroblogGraphql),
};
