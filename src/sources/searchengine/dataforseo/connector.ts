import type { Answer } from '../../../upstream/answer.ts';
import type { SpendRule } from '../../../upstream/ports.ts';
import { outcomeOfChallenge } from '../../challenge.ts';
import { type NotFound, type Outcome, refused } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Ask, Asks, Attempt, Ports } from '../../source.ts';
import { createSourceBudget } from '../../source-budget.ts';
import { joinPages } from '../join.ts';
import { PAGE_PARSERS } from '../page-parsers.ts';
import type { PageRead, SerpInput } from '../result.ts';
import { expectedUsd, liveBody, liveUrl } from './request.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const envelope = parsersIn<typeof import('./envelope.ts')>(new URL('./envelope.ts', import.meta.url));

/** 2,000 calls a minute for the whole account. */
const PACE = { key: 'api.dataforseo.com', everyMs: 40, burst: 30 } as const;
const MAX_BYTES = 32 * 1024 * 1024;
const CAPS = 'SIGHTLINE_DATAFORSEO_DAILY_REQUESTS, SIGHTLINE_DATAFORSEO_DAILY_USD';

type Form = 'advanced' | 'html';
type Call = (input: SerpInput, form: Form, attempt: Attempt) => Promise<{ tag: 'answer'; answer: Answer } | NotFound>;

const callers = new WeakMap<Ports, Call>();
/** One budget for both endpoints, because they belong to one account. */
function callerOf(ports: Ports, cap: SpendRule): Call {
  const known = callers.get(ports);
  if (known) return known;
  const { settings, clock, log, http } = ports;
  const budget = createSourceBudget({ ...cap, usdEach: 0.002, settings: CAPS }, ports);
  const authorization = `Basic ${Buffer.from(`${settings.DATAFORSEO_LOGIN}:${settings.DATAFORSEO_PASSWORD}`).toString('base64')}`;
  const call: Call = async (input, form, attempt) => {
    const { signal, deadlineMs } = attempt;
    const body = liveBody(input, form);
    if (body === null) return refused('The data provider does not cover this country.', `no location code for ${input.location}`);
    const leftMs = Math.max(1, deadlineMs - clock.now());
    const usd = expectedUsd(input, form);
    const taken = await budget.take(usd);
    if (taken.tag !== 'taken') return taken;
    const reply = await http.ask({
      method: 'POST',
      url: liveUrl(input, form),
      headers: { authorization, 'content-type': 'application/json', accept: 'application/json' },
      body,
      maxBytes: MAX_BYTES,
      // the provider sends the first byte only after the live search has finished
      timeoutMs: leftMs,
      firstByteMs: leftMs,
      pace: PACE,
      signal,
    });
    if (reply.tag !== 'answer') return reply;
    const bill = await parse(ports, envelope('readBill'), reply.answer, {}, attempt);
    if ('tag' in bill) return bill;
    if (bill.cost !== null) await taken.settle(bill.cost);
    else if (bill.refusal !== null) log('warn', 'DataForSEO did not accept the request', { detail: bill.refusal });
    return reply;
  };
  callers.set(ports, call);
  return call;
}

export function openDataforseo(ports: Ports, cap: SpendRule): Asks {
  const call = callerOf(ports, cap);
  const serp: Ask<'serp'> = async (input, attempt) => {
    const reply = await call(input, 'advanced', attempt);
    return reply.tag === 'answer' ? parse(ports, parser('readDataforseo'), reply.answer, input, attempt) : reply;
  };
  return { serp };
}

export function openDataforseoHtml(ports: Ports, cap: SpendRule): Asks {
  const call = callerOf(ports, cap);
  const serp: Ask<'serp'> = async (input, attempt) => {
    const reply = await call(input, 'html', attempt);
    return reply.tag === 'answer' ? readRaw(ports, reply.answer, input, attempt) : reply;
  };
  return { serp };
}

async function readRaw(ports: Ports, answer: Answer, input: SerpInput, attempt: Attempt): ReturnType<Ask<'serp'>> {
  const raw = await parse(ports, parser('rawPages'), answer, {}, attempt);
  if (raw.tag !== 'found') return raw;
  const { pages, at } = raw.resource;
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  return joinPages(input, {
    repeatIsBlockPage: input.engine === 'engine_b',
    timeLeft: () => true,
    async page(index): Promise<Outcome<PageRead>> {
      const body = new TextEncoder().encode(pages[index] ?? '');
      const page: Answer = { status: 200, headers, body, url: '', at };
      const read = outcomeOfChallenge(page) ?? (await parse(ports, PAGE_PARSERS[input.engine], page, input, attempt));
      // the provider returns no page after the engine's last one
      return read.tag === 'found' ? { ...read, resource: { ...read.resource, next: index + 1 < pages.length ? '' : null } } : read;
    },
  });
}
