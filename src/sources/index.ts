import type { Source } from './source.ts';

/** Every source, in the order in which an operation asks them; one line each. */
export const SOURCES: readonly Source[] = [];
