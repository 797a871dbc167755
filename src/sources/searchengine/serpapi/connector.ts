import type { Reply } from '../../../upstream/answer.ts';
import { incomplete, type NotFound, type Outcome } from '../../outcome.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../../source.ts';
import type { SourceBudget } from '../../source-budget.ts';
import { joinPages } from '../join.ts';
import { engineLanguage, marketOf } from '../regions.ts';
import { ENGINE_NAMES, type PageRead, type SerpInput } from '../result.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const URL_SEARCH = 'https://serpapi.com/search.json';
const PACE = { key: 'serpapi.com', everyMs: 250, burst: 5 } as const;
/** A search takes one to four seconds; with less time left no further page is requested. */
const PAGE_MS = 5_000;

function parameters(input: SerpInput, index: number): Record<string, string> {
  const { keyword, device } = input;
  const common = { engine: ENGINE_NAMES[input.engine], q: keyword, device };
  if (input.engine === 'engine_b') {
    // the provider takes one of them: a market says both
    const market = marketOf('serpapi', input);
    return { ...common, ...(market ? { mkt: market } : { cc: input.location }), first: String(index * 10 + 1) };
  }
  const start = index > 0 && { start: String(index * 10) };
  return { ...common, gl: input.location.toLowerCase(), hl: engineLanguage(input).toLowerCase(), ...start };
}

export function open(ports: Ports, budget: SourceBudget): Asks {
  const { settings, clock, http } = ports;
  /** Regions with languages that the provider refused: asking for them again must fail. */
  const lacking = new Map<string, NotFound>();

  async function call(query: Record<string, string>, attempt: Attempt): Promise<Reply | NotFound> {
    const taken = await budget.take();
    if (taken.tag !== 'taken') return taken;
    // the provider accepts its key in the URL only; the request log contains hosts and paths, no query strings
    const url = `${URL_SEARCH}?${new URLSearchParams({ ...query, api_key: settings.SERPAPI_KEY ?? '' })}`;
    const limits = { maxBytes: 16_000_000, firstByteMs: Number.POSITIVE_INFINITY, redirects: 0 };
    const reply = await http.ask({ url, headers: { accept: 'application/json' }, ...limits, pace: PACE, attempt });
    if (reply.tag === 'answer') await taken.settle(budget.usdEach);
    return reply;
  }

  async function readPage(input: SerpInput, index: number, attempt: Attempt): Promise<Outcome<PageRead>> {
    const region = `${input.engine} ${input.location} ${input.language}`;
    const known = lacking.get(region);
    if (known) return known;
    const reply = await call(parameters(input, index), attempt);
    const read = await parse(ports, parser('openSerpapiPage'), reply, { input, overview: null }, attempt);
    if (read.tag === 'refused' && read.notServed) lacking.set(region, read);
    const token = read.tag === 'found' && index === 0 ? read.resource.overviewToken : null;
    if (token === null) return read;
    const apart = await call({ engine: 'google_ai_overview', page_token: token }, attempt);
    const whole =
      apart.tag === 'answer' ? await parse(ports, parser('openSerpapiPage'), reply, { input, overview: apart.answer }, attempt) : apart;
    if (whole.tag === 'found' || read.tag !== 'found') return whole;
    // the page announces an overview that did not come: it is unread
    const { freshAtMostMs: _, ...page } = read;
    return incomplete(page, ['aiOverview'], 'retryAfterMs' in whole ? whole.retryAfterMs : null);
  }

  return { serp: (input, attempt) => joinPages(input, clock, attempt.deadlineMs - PAGE_MS, (index) => readPage(input, index, attempt)) };
}
