import type { SerpInput } from '../result.ts';
import { PROVIDER_ENGINE } from './parse.ts';
import { languageCode, locationCode } from './places.ts';

const BASE = 'https://api.dataforseo.com/v3/serp';
/** Base price of a live search with its first ten results; each further page; the overview, if requested (price list of 2025-09). */
const FIRST_PAGE_USD = 0.002;
const NEXT_PAGE_USD = 0.0015;
const OVERVIEW_USD = 0.002;

export const liveUrl = (input: SerpInput, form: 'advanced' | 'html'): string =>
  `${BASE}/${PROVIDER_ENGINE[input.engine]}/organic/live/${form}`;

/** The request body of one task; null if the provider has no code for the country. `%xx` and `+` of a keyword are escaped. */
export function liveBody(input: SerpInput, form: 'advanced' | 'html'): string | null {
  const location = locationCode(input.location);
  if (location === null) return null;
  const google = input.engine === 'engine_a';
  return JSON.stringify([
    {
      keyword: input.keyword.replace(/%/g, '%25').replace(/\+/g, '%2B'),
      location_code: location,
      language_code: languageCode(input.language, input.location),
      device: input.device,
      os: input.device === 'mobile' ? 'android' : 'windows',
      depth: input.depth,
      // a second result of the same host is a separate entry, and the full text of the overview is needed
      ...(google && form === 'advanced' ? { group_organic_results: false, load_async_ai_overview: true } : {}),
    },
  ]);
}

/** Expected cost of the call in USD; the provider refunds unused pages. */
export const expectedUsd = (input: SerpInput, form: 'advanced' | 'html'): number =>
  FIRST_PAGE_USD +
  NEXT_PAGE_USD * (Math.ceil(input.depth / 10) - 1) +
  (form === 'advanced' && input.engine === 'engine_a' ? OVERVIEW_USD : 0);
