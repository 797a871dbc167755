import type { DriftField } from '../../contract/admin/evidence-actions.ts';
import { Chart } from '../charts/chart.tsx';
import { admin } from '../parts/admin.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { Card, Empty, Pill, Time } from '../parts/display.tsx';
import { share } from '../parts/format.ts';
import { shortMinute } from '../parts/minute.ts';
import { LoadedPage, Show, useLoaded } from '../parts/page.tsx';
import { driftAt } from './sources.tsx';

const DriftPill = ({ drifting }: { drifting: boolean }) =>
  drifting ? <Pill tone="warn" icon="wave" text="Drifts" /> : <Pill tone="plain" icon="check" text="Over" />;

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

function Course({ source, field, of }: { source: string; field: string; of: DriftField | undefined }) {
  const { loaded } = useLoaded((signal) => admin('showDrift', { source, field }, signal), [source, field]);
  return (
    <div class="stack">
      <header class="lead">
        <h2 class="grow">
          <code>{field}</code> of {source}
        </h2>
        {of && <DriftPill drifting={of.drifting} />}
        <LinkButton href={`/console/evidence?_source=${encodeURIComponent(source)}&_field=${encodeURIComponent(field)}`} text="Captures" />
      </header>
      <Show loaded={loaded}>
        {({ hours, usualMissing, usualUnread }) => {
          const began = hours.find(({ drifting }) => drifting);
          if (hours.length === 0) return <Empty icon="wave" title="No answers in the last seven days" />;
          return (
            <Card title="Answers without this field" aside="share of answers, hour by hour">
              <Chart
                title="Answers without this field by hour"
                isLines
                isCount={false}
                places={hours.map(({ at }) => at)}
                label={shortMinute}
                format={share}
                series={[
                  { name: 'No value', values: hours.map((h) => shareOf(h.missing, h.answers)) },
                  { name: 'Not understood', values: hours.map((h) => shareOf(h.unread, h.answers)) },
                ]}
                band={usualMissing === null ? undefined : { name: 'Usual', low: 0, high: Math.max(usualMissing, usualUnread ?? 0) }}
                marks={began && new Map([[began.at, 'The alarm began.']])}
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
          <Card
            title="Fields"
            aside={`${fields.filter(({ drifting }) => drifting).length} drift`}
            none="No field drifted within 30 days."
            rows={fields.map((each) => ({
              ...{ id: driftAt(each.source, each.field), href: driftAt(each.source, each.field), isHere: each === chosen },
              first: <code>{each.field}</code>,
              second: [each.source, ' ', each.lastDriftAt && <Time key="at" at={each.lastDriftAt} />],
              aside: <DriftPill drifting={each.drifting} />,
            }))}
          />
          {source !== undefined && field !== undefined && <Course source={source} field={field} of={chosen} />}
        </div>
      );
    }}
  </LoadedPage>
);
