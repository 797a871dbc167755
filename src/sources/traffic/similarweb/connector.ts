import { found, type NotFound } from '../../outcome.ts';
import type { Asks, World } from '../../source.ts';
import { type Panel, panelResource, readPart } from './parse.ts';

const ORIGIN = 'https://api.similarweb.com';
const PACE = { key: 'api.similarweb.com', everyMs: 110, burst: 5 } as const;
/** The panel closes a month some ten days after its end. */
const LAG_DAYS = 12;
const MONTHS = 6;

export function open(world: World): Asks {
  return {
    async traffic({ domain }, { signal }) {
      const span = monthsUntil(world.clock.now());
      const ask = async (path: string, query: Record<string, string>) => {
        const url = `${ORIGIN}/${path}?${new URLSearchParams({ ...query, main_domain_only: 'false', format: 'json' })}`;
        // the key goes in a header: a URL ends up in logs
        return world.http.ask({
          url,
          headers: { accept: 'application/json', 'api-key': world.settings.SIMILARWEB_API_KEY ?? '' },
          pace: PACE,
          maxBytes: 4_000_000,
          signal,
        });
      };
      const total = (name: string) =>
        ask(`v1/website/${domain}/total-traffic-and-engagement/${name}`, { ...span, country: 'world', granularity: 'monthly' });
      const first = await total('visits');
      if (first.tag !== 'answer') return first;
      const visits = readPart(first.answer, domain);
      if (!visits.ok) return visits.outcome;

      // what else the plan allows; an endpoint that it does not allow leaves its fields null
      const last = { start_date: span.end_date, end_date: span.end_date };
      const more = await Promise.all([
        total('pages-per-visit'),
        total('average-visit-duration'),
        total('bounce-rate'),
        ask(`v1/website/${domain}/global-rank/global-rank`, last),
        ask(`v1/website/${domain}/traffic-sources/overview-share`, { ...last, country: 'world', granularity: 'monthly' }),
        ask(`v4/website/${domain}/geo/total-traffic-by-country`, { ...last, limit: '10', sort: 'share', asc: 'false' }),
      ]);
      let panel: Panel = visits.panel;
      for (const reply of more) {
        const part = reply.tag === 'answer' ? readPart(reply.answer, domain, panel) : { ok: false as const, outcome: reply as NotFound };
        if (part.ok) panel = { ...part.panel, period: visits.panel.period, visits: visits.panel.visits, history: visits.panel.history };
        // a part that was limited, blocked or lost would come as null and look like "not stated"
        else if (part.outcome.tag !== 'refused' && part.outcome.tag !== 'absent') return part.outcome;
        else world.log('info', 'the panel does not give an endpoint', { domain, detail: part.outcome.detail ?? part.outcome.what });
      }
      const outcome = panelResource(panel, domain, first.answer.at);
      return outcome.tag === 'found' ? found(outcome.resource) : outcome;
    },
  };
}

/** The last six months that the panel has closed, as `YYYY-MM`. */
export function monthsUntil(nowMs: number): { start_date: string; end_date: string } {
  const closed = new Date(nowMs - LAG_DAYS * 86_400_000);
  const month = (back: number) => new Date(Date.UTC(closed.getUTCFullYear(), closed.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
  return { start_date: month(MONTHS), end_date: month(1) };
}
