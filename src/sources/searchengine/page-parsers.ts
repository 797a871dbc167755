import { parsersIn } from '../parsers.ts';

const google = parsersIn<typeof import('./google/parse.ts')>(new URL('./google/parse.ts', import.meta.url));
const bing = parsersIn<typeof import('./bing/parse.ts')>(new URL('./bing/parse.ts', import.meta.url));

/** The parser of a result page, by engine. */
export const PAGE_PARSERS = { engine_a: google('openGooglePage'), engine_b: bing('openBingPage') } as const;
