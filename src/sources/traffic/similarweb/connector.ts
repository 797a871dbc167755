import { incomplete } from '../../outcome.ts';
import { type Asks, type Ports, parse, parsersIn } from '../../source.ts';
import type { SourceBudget, Taken } from '../../source-budget.ts';
import { panelOutcome } from './panel.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const ORIGIN = 'https://api.similarweb.com/v5/website-analysis/websites';
const PACE = { key: 'api.similarweb.com', everyMs: 110, burst: 5 } as const;
/** The panel closes a month some ten days after its end. */
const LAG_DAYS = 12;
const MONTHS = 6;
const METRICS = 'visits,unique_visitors,pages_per_visit,average_visit_duration,bounce_rate';
/** Requests after the first, for the newest month, with the fields that they fill. */
const MORE = [
  { endpoint: 'traffic-channels/share', query: { country: 'ww', web_source: 'desktop' }, fields: ['trafficSources'] },
  { endpoint: 'geography/aggregated', query: { web_source: 'total', limit: '10' }, fields: ['topCountries', 'countryRank'] },
] as const;

export function open(ports: Ports, budget: SourceBudget): Asks {
  return {
    async traffic({ domain }, attempt) {
      const span = monthsUntil(ports.clock.now());
      const ask = async (taken: Taken, endpoint: string, query: Record<string, string>) => {
        const url = `${ORIGIN}/${endpoint}?${new URLSearchParams({ domain, granularity: 'monthly', main_domain_only: 'false', ...query })}`;
        // the key is sent in a header, because URLs are logged
        const reply = await ports.http.ask({
          url,
          headers: { accept: 'application/json', 'api-key': ports.settings.SIMILARWEB_API_KEY ?? '' },
          pace: PACE,
          maxBytes: 4_000_000,
          attempt,
        });
        if (reply.tag === 'answer') await taken.settle(reply.answer.status === 200 ? budget.usdEach : 0);
        return reply;
      };
      const paid = await budget.take();
      if (paid.tag !== 'taken') return paid;
      const first = await ask(paid, 'traffic-and-engagement', { metrics: METRICS, country: 'ww', web_source: 'total', ...span });
      const engagement = await parse(ports, parser('readPanelPart'), first, { domain }, attempt);
      if (engagement.tag !== 'found') return engagement;

      // of the month that the answer states: the newest one may not be known yet
      const month = engagement.resource.period ?? span.end_date;
      const last = { start_date: month, end_date: month };
      let panel = engagement.resource;
      const unread = [...(engagement.unread ?? [])];
      const lost: string[] = [];
      let waitMs = 0;
      const parts = MORE.map(async ({ endpoint, query, fields }) => {
        const taken = await budget.take();
        const reply = taken.tag === 'taken' ? await ask(taken, endpoint, { ...query, ...last }) : taken;
        return { reply, fields };
      });
      for (const { reply, fields } of await Promise.all(parts)) {
        const part = await parse(ports, parser('readPanelPart'), reply, { domain, panel }, attempt);
        if (part.tag === 'found') {
          const { period, visits, history } = engagement.resource;
          panel = { ...part.resource, period, visits, history };
          unread.push(...(part.unread ?? []));
        }
        // an endpoint that the plan does not include, or that has no data, leaves its fields null
        else if ((part.tag === 'refused' && !part.account) || part.tag === 'absent')
          ports.log('info', 'the panel does not give an endpoint', { domain, detail: part.detail ?? part.what });
        // the values of the first request are sound, and no model replaces them: what was not brought is unread
        else {
          lost.push(...fields);
          if ('retryAfterMs' in part) waitMs = Math.max(waitMs, part.retryAfterMs ?? 0);
        }
      }
      const whole = panelOutcome(panel, [...unread, ...lost]);
      return whole.tag === 'found' && lost.length > 0 ? incomplete(whole, lost, waitMs) : whole;
    },
  };
}

export function monthsUntil(nowMs: number): { start_date: string; end_date: string } {
  const closed = new Date(nowMs - LAG_DAYS * 86_400_000);
  const month = (back: number) => new Date(Date.UTC(closed.getUTCFullYear(), closed.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
  return { start_date: month(MONTHS), end_date: month(1) };
}
