import type { TrafficEstimate } from '../../contract/operations/traffic.ts';
import { Bars, Columns, Interval } from '../charts/bars.tsx';
import { capital, country, duration, moment, number, share, short } from '../parts/format.ts';
import { Facts, Metrics, NotStated } from '../parts/stated.tsx';

const METHODS: Readonly<Record<TrafficEstimate['method'], string>> = {
  panel: 'Measured by a panel of users, and extrapolated.',
  model: 'Modelled from the rank of the domain: no visit was counted. The interval holds 80 % of domains of this rank.',
};
const RANKS: Readonly<Record<NonNullable<TrafficEstimate['rankSource']>, string>> = {
  tranco: 'the Tranco list',
  crux: 'the Chrome UX report',
  panel: 'the panel',
};

/** Visits with their interval, history, sources and countries, and how they were estimated. */
export function TrafficEstimateView({ resource }: { resource: TrafficEstimate }) {
  const { visits, visitsLow, visitsHigh, trafficSources, topCountries, history } = resource;
  return (
    <article class="card traffic">
      <header>
        <h3>{resource.domain}</h3>
        <p>
          <span class="label">{capital(resource.method)}</span> {METHODS[resource.method]}
          {resource.rankSource && ` The rank is of ${RANKS[resource.rankSource]}.`} Confidence: {resource.confidence ?? <NotStated />}.
          Month: {resource.period ?? <NotStated />}.
        </p>
      </header>
      <Metrics
        metrics={[
          ['Visits in the month', visits === null ? null : <span title={number(visits)}>{short(visits)}</span>],
          ['Unique visitors', resource.uniqueVisitors === null ? null : short(resource.uniqueVisitors)],
          ['Pages a visit', resource.pagesPerVisit === null ? null : resource.pagesPerVisit.toFixed(2)],
          ['Length of a visit', resource.avgVisitDurationSeconds === null ? null : duration(resource.avgVisitDurationSeconds * 1000)],
          ['Bounce rate', resource.bounceRate === null ? null : share(resource.bounceRate)],
          ['Global rank', resource.globalRank === null ? null : `#${number(resource.globalRank)}`],
        ]}
      />
      {visits !== null && visitsLow !== null && visitsHigh !== null ? (
        <Interval title="Visits with the 80 % interval" low={visitsLow} value={visits} high={visitsHigh} format={number} />
      ) : (
        <p class="small">
          Interval: <NotStated />
        </p>
      )}
      {history.length > 0 ? (
        <Columns
          title="Visits by month"
          bars={history.map((h) => ({ name: h.month, value: h.visits }))}
          format={(v) => (v >= 10_000 ? short(v) : number(v))}
          heads={['Month', 'Visits']}
        />
      ) : (
        <p class="small">
          History: <NotStated />
        </p>
      )}
      <div class="two">
        {trafficSources ? (
          <Bars
            title="Sources of visits"
            bars={Object.entries(trafficSources).map(([name, value]) => ({ name: capital(name), value }))}
            format={share}
            heads={['Source', 'Share']}
          />
        ) : (
          <p class="small">
            Sources of visits: <NotStated />
          </p>
        )}
        {topCountries.length > 0 ? (
          <Bars
            title="Countries of visits"
            bars={topCountries.map((c) => ({ name: `${country(c.country)} (${c.country})`, value: c.share }))}
            format={share}
            heads={['Country', 'Share']}
          />
        ) : (
          <p class="small">
            Countries: <NotStated />
          </p>
        )}
      </div>
      <Facts
        facts={[
          [
            'Rank in its country',
            resource.countryRank && `#${number(resource.countryRank.rank)} in ${country(resource.countryRank.country)}`,
          ],
          ['Rank in its category', resource.categoryRank && `#${number(resource.categoryRank.rank)} in ${resource.categoryRank.category}`],
          ['Asked', moment(resource.scrapedAt)],
        ]}
      />
    </article>
  );
}
