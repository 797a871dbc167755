import { useSignal } from '@preact/signals';
import type { CaptureSummary, DriftField, ReplayReport } from '../../contract/admin/evidence-actions.ts';
import { operationName } from '../app/operations.ts';
import { Chart } from '../charts/chart.tsx';
import { AdminAct, admin } from '../parts/admin.tsx';
import { type Column, rowsUpTo } from '../parts/columns.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { Card, Empty, Pill, Rows, Time } from '../parts/display.tsx';
import { filterOf, Ranges, rangeOf } from '../parts/filters.tsx';
import { capital, inWords, plural, share, shortTime } from '../parts/format.ts';
import { Grid, ListPage } from '../parts/grid.tsx';
import { LoadedPage, Show, useLoaded } from '../parts/page.tsx';
import { driftAt } from './sources.tsx';
import '../parts/grid.css';

const PAGE = 100;
const OUTCOMES = ['found', 'absent', 'blocked', 'limited', 'unreachable', 'timeout', 'changed', 'refused', 'defect'] as const;
const OUTCOME = { id: '_outcome', name: 'Outcome', choices: OUTCOMES.map((tag) => [tag, tag] as const) };
const captureAt = ({ capture }: { readonly capture: string }): string => `/console/evidence/${capture}`;

export function OutcomePill({ outcome, unread }: Pick<CaptureSummary, 'outcome' | 'unread'>) {
  if (outcome === 'found' && unread.length > 0) return <Pill tone="warn" text="Found, unread" />;
  return <Pill tone={outcome === 'found' ? 'good' : outcome === 'absent' ? 'plain' : 'bad'} text={capital(outcome ?? 'none')} />;
}

const askedOf = ({ input }: CaptureSummary): string => inWords(input ?? {});
const COLUMNS: readonly Column<CaptureSummary>[] = [
  { id: 'at', name: 'Time', as: 'time', value: (c) => c.at },
  { id: 'source', name: 'Source', value: (c) => c.source },
  { id: 'op', name: 'Operation', value: (c) => (c.operation ? operationName(c.operation) : null) },
  { id: 'outcome', name: 'Outcome', value: (c) => c.outcome, of: (c) => <OutcomePill {...c} /> },
  { id: 'unread', name: 'Fields not read', as: 'code', value: (c) => c.unread.join(' ') },
  { id: 'input', name: 'Asked', value: askedOf, of: (c) => <span class="cut">{askedOf(c)}</span> },
  { id: 'request', name: 'Request', as: 'code', value: (c) => c.requestId },
  { id: 'bytes', name: 'Bytes', as: 'number', value: (c) => c.bytes },
  { id: 'version', name: 'Version', value: (c) => c.version, hidden: true },
];

const CHANGES: readonly Column<ReplayReport['changes'][number]>[] = [
  { id: 'source', name: 'Source', value: (c) => c.source },
  { id: 'field', name: 'Field', as: 'code', value: (c) => c.field },
  { id: 'before', name: 'Then', value: (c) => c.before },
  { id: 'after', name: 'Now', value: (c) => c.after },
  { id: 'captures', name: 'Captures', as: 'number', value: (c) => c.captures },
  {
    id: 'result',
    name: 'Result',
    value: (c) => (c.healed ? 'healed' : 'differs'),
    of: (c) => <Pill tone={c.healed ? 'good' : 'warn'} text={c.healed ? 'Healed' : 'Differs'} />,
  },
];

export function Replayed({ report }: { report: ReplayReport | null }) {
  if (report === null) return null;
  const { captures, same, healed, lost, skipped, version, changes } = report;
  return (
    <Card
      title={`Replay of ${plural(captures, 'capture')} with version ${version}`}
      aside={
        <span class="caption" role="status">
          {same} the same · {healed} healed · {lost} no longer found · {skipped} not replayed · no request made, nothing charged
        </span>
      }
    >
      <Grid
        caption="Replay"
        name="replay"
        columns={CHANGES}
        keyOf={(c) => `${c.source} ${c.field}`}
        hrefOf={captureAt}
        rows={changes}
        none="Every field is as it was."
      />
    </Card>
  );
}

export function Evidence() {
  const report = useSignal<ReplayReport | null>(null);
  const show = (replayed: ReplayReport): undefined => {
    report.value = replayed;
  };
  const given = Object.fromEntries([
    ['since', rangeOf('7d').from],
    ...['source', 'outcome', 'field', 'request'].map((name) => [name, filterOf(`_${name}`)] as const).filter(([, value]) => value !== ''),
  ]);
  return (
    <ListPage
      title="Evidence"
      caption="Captures"
      icon="box"
      none="No captures with these filters"
      hint="Attempts that a parser did not understand are stored for seven days; SIGHTLINE_CAPTURE stores more."
      columns={COLUMNS}
      keyOf={(c) => c.capture}
      hrefOf={captureAt}
      load={async (before = '', signal) =>
        rowsUpTo(await admin('listCaptures', { ...given, before, limit: PAGE }, signal), PAGE, (c) => c.capture)
      }
      filters={['_source', OUTCOME, '_field', '_request']}
      acts={() => <AdminAct action="replayCaptures" input={given} then={show} title="Replay these captures" />}
      above={<Replayed report={report.value} />}
    >
      <Ranges names={['today', '7d', '30d']} usual="7d" />
    </ListPage>
  );
}

const State = ({ drifting }: { drifting: boolean }) =>
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
        {of && <State drifting={of.drifting} />}
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
                label={shortTime}
                format={share}
                series={[
                  { name: 'No value', values: hours.map((h) => shareOf(h.missing, h.answers)) },
                  { name: 'Not understood', values: hours.map((h) => shareOf(h.unread, h.answers)) },
                ]}
                band={usualMissing === null ? undefined : { name: 'Usual', low: 0, high: Math.max(usualMissing, usualUnread ?? 0) }}
                markAt={began?.at}
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
            <Rows
              none="No field drifted within 30 days."
              rows={fields.map((each) => ({
                ...{ id: driftAt(each.source, each.field), href: driftAt(each.source, each.field), isHere: each === chosen },
                first: <code>{each.field}</code>,
                second: [each.source, ' ', each.lastDriftAt && <Time key="at" at={each.lastDriftAt} />],
                aside: <State drifting={each.drifting} />,
              }))}
            />
          </Card>
          {source !== undefined && field !== undefined && <Course source={source} field={field} of={chosen} />}
        </div>
      );
    }}
  </LoadedPage>
);
