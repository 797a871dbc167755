import type { TrafficEstimate } from '../../contract/operations/traffic/operation.ts';
import { Chart, useWidth } from '../charts/chart.tsx';
import { Card, Meter, Moment, Note, NotStatedLine, Pill } from '../parts/display.tsx';
import { capital, country, duration, month, number, share, short } from '../parts/format.ts';
import { type Stat, Stats } from '../parts/stats.tsx';
import { DataTable } from '../parts/table.tsx';
import { nullsIn, OfDomain, TwoColumns, worded } from './shared.tsx';

const RANKS = { tranco: 'the Tranco list', crux: 'the Chrome UX report', panel: 'the panel' } as const;

/** `shares`: a null is not stated. */
type SharesProps = Readonly<{ title: string; of: string; shares: readonly (readonly [name: string, value: number | null])[] }>;
/** Shares by name: a table with a bar in each row; nothing where there are none. */
function Shares({ title, of, shares }: SharesProps) {
  const highest = Math.max(0, ...shares.map(([, value]) => value ?? 0)) || 1;
  if (shares.length === 0) return null;
  return (
    <Card title={title}>
      <DataTable
        caption={`${title} of visits`}
        class="bars"
        rows={shares}
        columns={[
          { name: of, value: ([name]) => name },
          { name: 'Compared', of: ([, value]) => <Meter share={(value ?? 0) / highest} /> },
          { name: 'Share', as: 'share', value: ([, value]) => value, none: 'not stated by the source' },
        ]}
      />
    </Card>
  );
}

/** Of a digit of a label. */
const DIGIT_PX = 8;

function Interval({ low, value, high }: Readonly<Record<'low' | 'value' | 'high', number>>) {
  const { box, width } = useWidth<HTMLElement>();
  const from = Math.log(Math.max(low, 1) / 1.5);
  const to = Math.log(Math.max(high, 2) * 1.5);
  const x = (n: number): number => ((Math.log(Math.max(n, 1)) - from) / (to - from)) * width;
  const half = (number(value).length * DIGIT_PX) / 2;
  const title = 'Visits with the 80 % interval, on a logarithmic axis';
  return (
    <Card title="Estimate and its interval">
      <figure ref={box} class="chart">
        <figcaption>{title}</figcaption>
        <svg width={width} height={68} role="img" aria-label={`${title}: ${number(value)}, between ${number(low)} and ${number(high)}`}>
          <line class="line" x1={0} x2={width} y1={36} y2={36} />
          <rect class="range" x={x(low)} y={29} width={Math.max(x(high) - x(low), 2)} height={14} rx={7} />
          <circle class="dot" cx={x(value)} cy={36} r={7} />
          {/* above its mark, and the ends at the edges: three long numbers fit on a phone */}
          <text class="strong" x={Math.min(width - half, Math.max(half, x(value)))} y={16} text-anchor="middle">
            {number(value)}
          </text>
          <text y={62}>{number(low)}</text>
          <text x={width} y={62} text-anchor="end">
            {number(high)}
          </text>
        </svg>
      </figure>
    </Card>
  );
}

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
              Asked: <Moment at={resource.scrapedAt} />,
            }}
          />
          <OfDomain domain={domain} other="registration" />
        </>
      }
    >
      <Stats
        stats={[
          [
            `Visits${period ? ` in ${month(period)}` : ''}`,
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
      {visits !== null && interval && <Interval {...interval} value={visits} />}
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
      <Shares
        title="Sources"
        of="Source"
        shares={Object.entries(trafficSources ?? {}).map(([source, value]) => [capital(source), value])}
      />
      <Shares title="Countries" of="Country" shares={topCountries.map((c) => [`${country(c.country)} (${c.country})`, c.share])} />
      <Card title={isPanel ? 'Not known' : 'Not known by a model'}>{unknown.length > 0 && <NotStatedLine names={unknown} />}</Card>
    </TwoColumns>
  );
}
