import type { Answer } from '../../../outside/answer.ts';
import { found, type NotFound, type Outcome } from '../../outcome.ts';
import { createPurse } from '../../purse.ts';
import type { Asks, Attempt, World } from '../../source.ts';
import { joinPages } from '../join.ts';
import { type Fields, fieldsOf, wordsOf } from '../json.ts';
import type { PageRead, SerpInput } from '../result.ts';
import { openAnswer, readBody, SERPAPI_ENGINE } from './parse.ts';
import { overviewToken } from './sections.ts';

const URL_SEARCH = 'https://serpapi.com/search.json';
const PACE = { key: 'serpapi.com', everyMs: 250, burst: 5 } as const;
const CAPS = 'SIGHTLINE_SERPAPI_DAILY_REQUESTS, SIGHTLINE_SERPAPI_DAILY_USD';
/** A search takes one to four seconds there; with less left no further page is begun. */
const PAGE_MS = 5_000;

type Reply = { tag: 'answer'; answer: Answer } | NotFound;

/** What the provider's parameters are called for each engine. */
function parameters(input: SerpInput, index: number): Record<string, string> {
  const { keyword, device } = input;
  const common = { engine: SERPAPI_ENGINE[input.engine], q: keyword, device };
  if (input.engine === 'engine_b')
    return { ...common, cc: input.location, mkt: `${input.language}-${input.location}`, first: String(index * 10 + 1) };
  const hl =
    input.language === 'zh' ? (['TW', 'HK'].includes(input.location) ? 'zh-tw' : 'zh-cn') : input.language === 'nb' ? 'no' : input.language;
  return { ...common, gl: input.location.toLowerCase(), hl, ...(index > 0 && { start: String(index * 10) }) };
}

export function open(world: World): Asks {
  const { settings, clock, http } = world;
  const usdEach = settings.SIGHTLINE_SERPAPI_SEARCH_USD;
  const caps = { maxRequests: settings.SIGHTLINE_SERPAPI_DAILY_REQUESTS, maxUsd: settings.SIGHTLINE_SERPAPI_DAILY_USD };
  const purse = createPurse({ name: 'serpapi', ...caps, usdEach, settings: CAPS }, world);

  async function call(query: Record<string, string>, { signal, deadlineMs }: Attempt): Promise<Reply> {
    const taken = await purse.take();
    if (taken.tag !== 'taken') return taken;
    // the provider takes its key in the address only; the log of requests has hosts and paths
    const url = `${URL_SEARCH}?${new URLSearchParams({ ...query, api_key: settings.SERPAPI_KEY ?? '' })}`;
    const timeoutMs = Math.max(1, deadlineMs - clock.now());
    const reply = await http.ask({
      url,
      headers: { accept: 'application/json' },
      maxBytes: 16_000_000,
      timeoutMs,
      firstByteMs: timeoutMs,
      pace: PACE,
      redirects: 0,
      signal,
    });
    if (reply.tag === 'answer') await taken.settle(usdEach);
    return reply;
  }

  /** The body with the overview that stands apart; a lost one fails the page: null would say that there is none. */
  async function withOverview(body: Fields, token: string, attempt: Attempt): Promise<{ tag: 'body'; body: Fields } | NotFound> {
    const reply = await call({ engine: 'google_ai_overview', page_token: token }, attempt);
    if (reply.tag !== 'answer') return reply;
    const opened = openAnswer(reply.answer);
    return opened.tag === 'body' ? { tag: 'body', body: { ...body, ai_overview: opened.body.ai_overview } } : opened;
  }

  async function page(input: SerpInput, index: number, attempt: Attempt): Promise<Outcome<PageRead>> {
    const reply = await call(parameters(input, index), attempt);
    if (reply.tag !== 'answer') return reply;
    const opened = openAnswer(reply.answer);
    if (opened.tag !== 'body') return opened;
    const token = index === 0 ? overviewToken(opened.body) : null;
    const whole = token ? await withOverview(opened.body, token, attempt) : opened;
    if (whole.tag !== 'body') return whole;
    const read = readBody(whole.body, input, reply.answer.at);
    if (read.tag !== 'found') return read;
    const next = wordsOf(fieldsOf(whole.body.serpapi_pagination)?.next) ?? wordsOf(fieldsOf(whole.body.pagination)?.next);
    return found({ result: read.resource, elements: read.resource.organic.length, next });
  }

  return {
    serp: (input, attempt) =>
      joinPages(input, {
        repeatIsWall: input.engine === 'engine_b',
        timeLeft: () => clock.now() + PAGE_MS < attempt.deadlineMs,
        page: (index) => page(input, index, attempt),
      }),
  };
}
