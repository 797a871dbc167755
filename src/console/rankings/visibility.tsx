import { Chart } from '../charts/chart.tsx';
import { Chip } from '../parts/controls.tsx';
import { Card } from '../parts/display.tsx';
import { Domain } from '../parts/domain.tsx';
import { day, number, plural, share, shortDay } from '../parts/format.ts';
import { readableDomain } from '../parts/readable-domain.ts';
import { Change, SiteMark } from './cells.tsx';
import { marksOf } from './marks.ts';
import type { ShownRankings } from './read.ts';

const Formula = () => (
  <Chip value="Formula" label="Formula of the visibility">
    {() => (
      <p class="text">
        The mean, over the keywords that were answered that day, of 1 / place for a place to 20, and of 0 for a place beyond and for a site
        that is not in the results that were asked for. 100 % is the first place for every keyword. A keyword without an answer is left out.
      </p>
    )}
  </Chip>
);

const MOST_MARKS = 3;

/** The visibility of each site by day: a gap is a day without an answer. */
export function Visibility({ rankings: { sites, visibility } }: ShownRankings) {
  const marks = marksOf(visibility);
  const last = [...marks].slice(-MOST_MARKS);
  return (
    <Card title="Visibility" aside={<Formula />}>
      <p class="about">Mean of 1 / place over the keywords; a gap is a day without an answer.</p>
      <Chart
        title="Visibility by day"
        isLines
        isLabelled
        isCount={false}
        places={visibility.map(({ day: on }) => on)}
        label={shortDay}
        format={share}
        marks={marks}
        series={sites.map((name, rank) => ({ name: readableDomain(name), values: visibility.map((one) => one.sites[rank] ?? null) }))}
      />
      {last.length > 0 && (
        <p class="about">
          {'Dashed: places before and after it are not of the same kind. '}
          {last.map(([on, words]) => `${shortDay(on)}: ${words}`).join(' ')}
          {marks.size > last.length && ` ${number(marks.size - last.length)} more before these.`}
        </p>
      )}
    </Card>
  );
}

const POINTS = 100;
const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Where each site stands, and by how many points of visibility it moved since the first day with an answer. */
export function Standing({ rankings: { standing, from } }: ShownRankings) {
  const [first] = standing.sites;
  return (
    <Card title="Now, and change" aside={`since ${day(from)}`}>
      <ul class="standing">
        {standing.sites.map(({ site, visibility, visibilityBefore }, rank) => {
          const by =
            visibility === null || visibilityBefore === null ? null : Math.round((visibility - visibilityBefore) * POINTS * 10) / 10;
          return (
            <li key={site}>
              <SiteMark rank={rank} />
              {rank === 0 ? <strong children={<Domain name={site} />} /> : <Domain name={site} />}
              <strong class="numeric">{visibility === null ? '–' : share(visibility)}</strong>
              <span class="numeric" title={by === null ? 'fewer than two days with an answer' : 'points of visibility'}>
                {by === null ? <span class="unstated">–</span> : <Change by={by} shown={points.format(Math.abs(by))} />}
              </span>
            </li>
          );
        })}
      </ul>
      {first && (
        <p class="about">
          {number(first.up)} up · {number(first.down)} down · {plural(first.left, 'keyword')} left the first page
        </p>
      )}
    </Card>
  );
}
