import type { SpendRule } from '../../../upstream/ports.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Ports } from '../../source.ts';
import { createSourceBudget, type Taken } from '../../source-budget.ts';
import { type Panel, panelResource } from './panel.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const ORIGIN = 'https://api.similarweb.com';
const PACE = { key: 'api.similarweb.com', everyMs: 110, burst: 5 } as const;
/** The panel closes a month some ten days after its end. */
const LAG_DAYS = 12;
const MONTHS = 6;
const CAPS = 'SIGHTLINE_SIMILARWEB_DAILY_REQUESTS, SIGHTLINE_SIMILARWEB_DAILY_USD';

export function open(ports: Ports, cap: SpendRule): Asks {
  const { SIGHTLINE_SIMILARWEB_REQUEST_USD: usdEach } = ports.settings;
  const budget = createSourceBudget({ ...cap, usdEach, settings: CAPS }, ports);
  return {
    async traffic({ domain }, attempt) {
      const { signal } = attempt;
      const span = monthsUntil(ports.clock.now());
      const ask = async (taken: Taken, path: string, query: Record<string, string>) => {
        const url = `${ORIGIN}/${path}?${new URLSearchParams({ ...query, main_domain_only: 'false', format: 'json' })}`;
        // the key is sent in a header, because URLs are logged
        const reply = await ports.http.ask({
          url,
          headers: { accept: 'application/json', 'api-key': ports.settings.SIMILARWEB_API_KEY ?? '' },
          pace: PACE,
          maxBytes: 4_000_000,
          signal,
        });
        if (reply.tag === 'answer') await taken.settle(reply.answer.status === 200 ? usdEach : 0);
        return reply;
      };
      const total = (taken: Taken, name: string) =>
        ask(taken, `v1/website/${domain}/total-traffic-and-engagement/${name}`, { ...span, country: 'world', granularity: 'monthly' });
      const paid = await budget.take();
      if (paid.tag !== 'taken') return paid;
      const first = await total(paid, 'visits');
      if (first.tag !== 'answer') return first;
      const visits = await parse(ports, parser('readPanelPart'), first.answer, { domain }, attempt);
      if (visits.tag !== 'found') return visits;

      // further endpoints; one that the plan does not include leaves its fields null
      const last = { start_date: span.end_date, end_date: span.end_date };
      const parts: readonly ((taken: Taken) => ReturnType<typeof ask>)[] = [
        (taken) => total(taken, 'pages-per-visit'),
        (taken) => total(taken, 'average-visit-duration'),
        (taken) => total(taken, 'bounce-rate'),
        (taken) => ask(taken, `v1/website/${domain}/global-rank/global-rank`, last),
        (taken) => ask(taken, `v1/website/${domain}/traffic-sources/overview-share`, { ...last, country: 'world', granularity: 'monthly' }),
        (taken) => ask(taken, `v4/website/${domain}/geo/total-traffic-by-country`, { ...last, limit: '10', sort: 'share', asc: 'false' }),
      ];
      const all = await Promise.all(parts.map(() => budget.take()));
      // a part refused by the cap would become null, as if the panel had no value
      const capped = all.find((taken) => taken.tag !== 'taken');
      if (capped) {
        for (const taken of all) if (taken.tag === 'taken') await taken.settle(0);
        return capped;
      }
      const more = await Promise.all(parts.flatMap((part, i) => (all[i]?.tag === 'taken' ? [part(all[i])] : [])));
      let panel: Panel = visits.resource;
      const unread = [...(visits.unread ?? [])];
      for (const reply of more) {
        const part = reply.tag === 'answer' ? await parse(ports, parser('readPanelPart'), reply.answer, { domain, panel }, attempt) : reply;
        if (part.tag === 'found') {
          panel = { ...part.resource, period: visits.resource.period, visits: visits.resource.visits, history: visits.resource.history };
          unread.push(...(part.unread ?? []));
        }
        // a part that was limited, blocked or lost would become null, as if the panel had no value
        else if (part.tag !== 'refused' && part.tag !== 'absent') return part;
        else ports.log('info', 'the panel does not give an endpoint', { domain, detail: part.detail ?? part.what });
      }
      return panelResource(panel, domain, first.answer.at, unread);
    },
  };
}

/** The last six months that the panel has closed, as `YYYY-MM`. */
export function monthsUntil(nowMs: number): { start_date: string; end_date: string } {
  const closed = new Date(nowMs - LAG_DAYS * 86_400_000);
  const month = (back: number) => new Date(Date.UTC(closed.getUTCFullYear(), closed.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
  return { start_date: month(MONTHS), end_date: month(1) };
}
