import type { TrafficEstimate } from '../../contract/operations/traffic.ts';
import { Chart } from '../charts/chart.tsx';
import { Bars, Interval } from '../charts/small.tsx';
import { Card, Note, NotStatedLine, Pill, type Stat, Stats } from '../parts/display.tsx';
import { capital, country, duration, moment, number, share, short } from '../parts/format.ts';
import { nullsIn, OfDomain, TwoColumns, worded } from './shared.tsx';

const RANKS = { tranco: 'the Tranco list', crux: 'the Chrome UX report', panel: 'the panel' } as const;

export function TrafficEstimateView({ resource }: { resource: TrafficEstimate }) {
  const { domain, visits, visitsLow, visitsHigh, trafficSources, topCountries, history, countryRank, categoryRank, period } = resource;
  const isPanel = resource.method === 'panel';

  const interval = visitsLow !== null && visitsHigh !== null ? { low: visitsLow, high: visitsHigh } : null;
  const figures = {
    'Unique visitors': worded(resource.uniqueVisitors, short),
    'Pages a visit': worded(resource.pagesPerVisit, (pages) => pages.toFixed(2)),
    'Length of a visit': worded(resource.avgVisitDurationSeconds, (seconds) => duration(seconds * 1000)),
    'Bounce rate': worded(resource.bounceRate, share),
  };
  const unknown = nullsIn({
    ...figures,
    Interval: interval,
    History: history,
    'Sources of visits': trafficSources,
    Countries: topCountries,
    'Country rank': countryRank,
    'Category rank': categoryRank,
  });
  return (
    <TwoColumns
      class="traffic"
      about="About the estimate"
      aside={
        <>
          <Card
            title={domain}
            inset
            facts={{
              Method: <Pill tone={isPanel ? 'good' : 'busy'} icon="pulse" text={isPanel ? 'Measured by a panel of users' : 'Model'} />,
              Confidence: resource.confidence,
              'Global rank': worded(resource.globalRank, number),
              'Rank list': resource.rankSource && RANKS[resource.rankSource],
              'In its country': countryRank && `#${number(countryRank.rank)} in ${country(countryRank.country)}`,
              'In its category': categoryRank && `#${number(categoryRank.rank)} in ${categoryRank.category}`,
              Asked: moment(resource.scrapedAt),
            }}
          />
          <OfDomain domain={domain} other="registration" />
        </>
      }
    >
      <Stats
        stats={[
          [
            `Visits${period ? ` in ${period}` : ''}`,
            visits === null ? '–' : number(visits),
            interval && `likely between ${number(interval.low)} and ${number(interval.high)}`,
          ],
          ...Object.entries(figures).filter((figure): figure is [string, string] & Stat => figure[1] !== null),
        ]}
      />
      {!isPanel && (
        <Note icon="warning" warn>
          <strong>This is a model, not a measurement.</strong> Modelled from the rank of the domain: no visit was counted. The interval
          holds 80 % of domains of this rank. Use it to compare sizes, not to report numbers.
        </Note>
      )}
      {visits !== null && interval && (
        <Interval card="Estimate and its interval" title="Visits with the 80 % interval" {...interval} value={visits} format={number} />
      )}
      {history.length > 0 && (
        <Card title="History">
          <Chart
            title="Visits by month"
            places={history.map((h) => h.month)}
            series={[{ name: 'Visits', values: history.map((h) => h.visits) }]}
            format={(v) => (v >= 10_000 ? short(v) : number(v))}
            none="not stated by the source"
          />
        </Card>
      )}
      <Bars
        card="Sources"
        title="Sources of visits"
        bars={Object.entries(trafficSources ?? {}).map(([source, value]) => [capital(source), value])}
        format={share}
        heads={['Source', 'Share']}
      />
      <Bars
        card="Countries"
        title="Countries of visits"
        bars={topCountries.map((c) => [`${country(c.country)} (${c.country})`, c.share])}
        format={share}
        heads={['Country', 'Share']}
      />
      <Card title={isPanel ? 'Not known' : 'Not known by a model'}>{unknown.length > 0 && <NotStatedLine names={unknown} />}</Card>
    </TwoColumns>
  );
}
