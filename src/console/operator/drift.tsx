import type { DriftField } from '../../contract/admin/evidence-actions.ts';
import { Chart } from '../charts/chart.tsx';
import { admin } from '../parts/admin.tsx';
import { Card, Empty, ListRow, Pill } from '../parts/card.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { share } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { shortTime, Time } from '../parts/time.tsx';
import '../parts/grid.css';
import { driftAt } from './sources.tsx';

const State = ({ drifting }: { drifting: boolean }) => (
  <Pill tone={drifting ? 'warn' : 'plain'} icon={drifting ? 'wave' : 'check'} text={drifting ? 'Drifts' : 'Over'} />
);

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** The share of answers without the field, hour by hour, against what is usual. */
function Course({ source, field, of }: { source: string; field: string; of: DriftField | undefined }) {
  const { loaded } = useLoaded((signal) => admin('showDrift', { source, field }, signal), [source, field]);
  return (
    <div class="stack">
      <header class="lead">
        <h2 class="grow">
          <code>{field}</code> of {source}
        </h2>
        {of && <State drifting={of.drifting} />}
        <LinkButton href={`/console/evidence?_source=${encodeURIComponent(source)}&_field=${encodeURIComponent(field)}`} text="Captures" />
      </header>
      <Show loaded={loaded}>
        {({ hours, usualMissing, usualUnread }) => {
          const began = hours.find(({ drifting }) => drifting);
          if (hours.length === 0) return <Empty icon="wave" title="No answers in the last seven days" />;
          return (
            <Card title="Answers without this field" aside={<span class="caption">share of answers, hour by hour</span>}>
              <Chart
                title="Answers without this field by hour"
                form="lines"
                isCount={false}
                places={hours.map(({ at }) => at)}
                label={shortTime}
                format={share}
                series={[
                  { name: 'No value', values: hours.map((h) => shareOf(h.missing, h.answers)) },
                  { name: 'Not understood', values: hours.map((h) => shareOf(h.unread, h.answers)) },
                ]}
                {...(usualMissing !== null && { band: { name: 'Usual', low: 0, high: Math.max(usualMissing, usualUnread ?? 0) } })}
                {...(began && { markAt: began.at })}
              />
              {began && (
                <p>
                  Alarm: <Time at={began.at} />. Usual: no value in {share(usualMissing ?? 0)}, not understood in {share(usualUnread ?? 0)}{' '}
                  of answers. It ends when the rate is back in its band.
                </p>
              )}
            </Card>
          );
        }}
      </Show>
    </div>
  );
}

export const DriftPage = ({ params: { source, field } }: { params: Readonly<Record<string, string>> }) => (
  <LoadedPage title="Drift" load={(signal) => admin('listDrift', {}, signal)}>
    {(fields) => {
      const chosen = fields.find((each) => each.source === source && each.field === field);
      return (
        <div class="beside drift">
          <Card title="Fields" aside={<span class="caption">{fields.filter(({ drifting }) => drifting).length} drift</span>}>
            {fields.length === 0 && <p class="none">No field drifted within 30 days.</p>}
            <ul class="rows">
              {fields.map((each) => (
                <ListRow
                  key={`${each.source} ${each.field}`}
                  href={driftAt(each.source, each.field)}
                  isHere={each === chosen}
                  first={<code>{each.field}</code>}
                  second={[each.source, ' ', each.lastDriftAt && <Time key="at" at={each.lastDriftAt} />]}
                >
                  <State drifting={each.drifting} />
                </ListRow>
              ))}
            </ul>
          </Card>
          {source !== undefined && field !== undefined && <Course source={source} field={field} of={chosen} />}
        </div>
      );
    }}
  </LoadedPage>
);
