import { SOURCES } from './index.ts';
import { lazyReader } from './lazily.ts';
import type { ReaderEntries, ReaderEntry } from './source.ts';

/** Every reader by its public name: those of the sources, and one of a format that only data providers return. */
export const READERS: ReaderEntries = Object.assign({}, ...SOURCES.map((source) => source.readers), {
  'microblog/graphql': lazyReader('microblog-post', async () => (await import('./microblog/graphql.ts')).readMicroblogGraphql),
});

export const readerOf = (name: string): ReaderEntry | undefined => (Object.hasOwn(READERS, name) ? READERS[name] : undefined);
