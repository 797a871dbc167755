import type { Evidence } from '../../src/sources/evidence.ts';

/** Stands for a row of a table of evidence where a test makes an outcome itself. */
export const PROOF = 'of a test' as Evidence;
