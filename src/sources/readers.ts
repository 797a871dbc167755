import { SOURCES } from './index.ts';
import { graphqlReaders } from './microblog/graphql/readers.ts';
import type { ReaderEntries, ReaderEntry } from './source.ts';

/** Every reader by its public name: those of the sources, and those of formats that only data providers return. */
export const READERS: ReaderEntries = Object.assign({}, ...SOURCES.map((source) => source.readers), graphqlReaders);

/** The reader of that public name; undefined if there is none. */
export const readerOf = (name: string): ReaderEntry | undefined => (Object.hasOwn(READERS, name) ? READERS[name] : undefined);
