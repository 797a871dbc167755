import { useSignal } from '@preact/signals';
import type { CaptureSummary, ReplayReport } from '../../contract/admin/evidence-actions.ts';
import { operationName } from '../app/operations.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { Card, Pill } from '../parts/card.tsx';
import { filterOf, Ranges, rangeOf } from '../parts/filters.tsx';
import { capital, inWords, plural } from '../parts/format.ts';
import { Grid } from '../parts/grid.tsx';
import { ListPage } from '../parts/list-page.tsx';
import { type Column, pageOf } from '../parts/rows.ts';

const PAGE = 100;
const OUTCOMES = ['found', 'absent', 'blocked', 'limited', 'unreachable', 'timeout', 'changed', 'refused', 'defect'] as const;
const OUTCOME = { id: '_outcome', name: 'Outcome', choices: OUTCOMES.map((tag) => [tag, tag] as const) };
const captureAt = ({ capture }: { readonly capture: string }): string => `/console/evidence/${capture}`;

/** The outcome of an attempt; fields that were not read are part of it. */
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
        keys={[report]}
        keyOf={(c) => `${c.source} ${c.field}`}
        hrefOf={captureAt}
        load={() => changes}
        empty={<p class="none">Every field is as it was.</p>}
      />
    </Card>
  );
}

export function Evidence() {
  const report = useSignal<ReplayReport | null>(null);
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
        pageOf(await admin('listCaptures', { ...given, before, limit: PAGE }, signal), PAGE, (c) => c.capture)
      }
      filters={['_source', OUTCOME, '_field', '_request']}
      acts={() => (
        <AdminAct
          action="replayCaptures"
          input={given}
          then={(replayed) => {
            report.value = replayed;
            return undefined;
          }}
          name="Replay"
          style="primary"
          title="Replay these captures"
          says="The captures of the filter are parsed again by this version, at most the newest 1,000. No request is made and nothing is charged."
        />
      )}
      above={<Replayed report={report.value} />}
    >
      <Ranges names={['today', '7d', '30d']} usual="7d" />
    </ListPage>
  );
}
