import type { SearchResult } from '../../../contract/operations/serp/operation.ts';
import { numericCodeOf } from '../../country-codes.ts';
import { type NotFound, notServed, type Outcome } from '../../outcome.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../../source.ts';
import type { SourceBudget } from '../../source-budget.ts';
import { engineLanguage } from '../regions.ts';
import { ENGINE_NAMES, type SerpInput } from '../result.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

const URL_SERP = 'https://api.dataforseo.com/v3/serp';
/** 2,000 calls a minute for the whole account. */
const PACE = { key: 'api.dataforseo.com', everyMs: 40, burst: 30 } as const;
const MAX_BYTES = 32 * 1024 * 1024;
/** Base price of a live search with its first ten results; each further page; the overview, if requested (price list of 2025-09). */
const FIRST_PAGE_USD = 0.002;
const NEXT_PAGE_USD = 0.0015;
const OVERVIEW_USD = 0.002;

export function openDataforseo(ports: Ports, budget: SourceBudget): Asks {
  const { settings, log, http } = ports;
  const authorization = `Basic ${Buffer.from(`${settings.DATAFORSEO_LOGIN}:${settings.DATAFORSEO_PASSWORD}`).toString('base64')}`;
  /** Regions with languages that the provider refused: asking for them again must fail. */
  const lacking = new Map<string, NotFound>();
  async function serp(input: SerpInput, attempt: Attempt): Promise<Outcome<SearchResult>> {
    const region = `${input.engine} ${input.location} ${input.language}`;
    const known = lacking.get(region);
    if (known) return known;
    const country = numericCodeOf(input.location);
    if (country === null) return notServed('The data provider does not have this location.', `no location code for ${input.location}`);
    const withOverview = input.engine === 'engine_a';
    const task = {
      // the provider decodes %xx and +
      keyword: input.keyword.replace(/%/g, '%25').replace(/\+/g, '%2B'),
      // the criteria ids of the ads platform
      location_code: 2000 + country,
      language_code: engineLanguage(input),
      device: input.device,
      os: input.device === 'mobile' ? 'android' : 'windows',
      depth: input.depth,
      // a second result of the same host is a separate entry, and the full text of the overview is needed
      ...(withOverview && { group_organic_results: false, load_async_ai_overview: true }),
    };
    // the provider refunds unused pages
    const taken = await budget.take(FIRST_PAGE_USD + NEXT_PAGE_USD * (Math.ceil(input.depth / 10) - 1) + (withOverview ? OVERVIEW_USD : 0));
    if (taken.tag !== 'taken') return taken;
    const reply = await http.ask({
      method: 'POST',
      url: `${URL_SERP}/${ENGINE_NAMES[input.engine]}/organic/live/advanced`,
      headers: { authorization, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify([task]),
      maxBytes: MAX_BYTES,
      // the provider sends the first byte only after the live search has finished
      firstByteMs: Number.POSITIVE_INFINITY,
      pace: PACE,
      decodedByParser: true,
      attempt,
    });
    const read = await parse(ports, parser('readBilled'), reply, input, attempt);
    if ('tag' in read) return read;
    const { outcome, cost } = read;
    if (cost !== null) await taken.settle(cost);
    else if (outcome.tag === 'refused') log('warn', 'DataForSEO did not accept the request', { detail: outcome.detail });
    if (outcome.tag === 'refused' && outcome.notServed) lacking.set(region, outcome);
    return outcome;
  }
  return { serp };
}
