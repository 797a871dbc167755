import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { CapturePage, CaptureSummary, ReplayReport } from '../../contract/admin/evidence-actions.ts';
import { CAPTURED_TAGS } from '../../contract/captured-tags.ts';
import { operationName } from '../app/operations.ts';
import { go, pageAt } from '../app/place.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { Button, LinkButton } from '../parts/controls.tsx';
import { Card, Facts, Pill } from '../parts/display.tsx';
import { ChoiceFilter, filterOf, Ranges, rangeOf } from '../parts/filters.tsx';
import { capital, duration, inWords, moment, number, plural } from '../parts/format.ts';
import { Grid, ListPage, rowsUpTo } from '../parts/grid.tsx';
import { pageOf } from '../parts/page.tsx';
import { Readable } from '../parts/readable.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { fieldsOf, type ReadField, textParts } from './marked-text.ts';
import { driftAt } from './sources.tsx';
import '../parts/grid.css';

const PAGE = 100;
const OUTCOME = { id: '_outcome', name: 'Outcome', choices: CAPTURED_TAGS.map((tag) => [tag, tag] as const) };
const captureAt = ({ capture }: { readonly capture: string }): string => `/console/evidence/${capture}`;

export function OutcomePill({ outcome, unread }: Pick<CaptureSummary, 'outcome' | 'unread'>) {
  if (outcome === 'found' && unread.length > 0) return <Pill tone="warn" text="Found, unread" />;
  return <Pill tone={outcome === 'found' ? 'good' : outcome === 'absent' ? 'plain' : 'bad'} text={capital(outcome ?? 'none')} />;
}

const captureInWords = ({ input }: CaptureSummary): string => inWords(input ?? {});
const COLUMNS: readonly Column<CaptureSummary>[] = [
  { id: 'at', name: 'Time', as: 'time', value: (c) => c.at },
  { id: 'source', name: 'Source', value: (c) => c.source },
  { id: 'op', name: 'Operation', value: (c) => (c.operation ? operationName(c.operation) : null), roomy: true },
  { id: 'outcome', name: 'Outcome', value: (c) => c.outcome, of: (c) => <OutcomePill {...c} /> },
  { id: 'unread', name: 'Fields not read', as: 'code', value: (c) => c.unread.join(' ') },
  { id: 'input', name: 'Asked', value: captureInWords, of: (c) => <span class="cut" children={<Readable text={captureInWords(c)} />} /> },
  { id: 'request', name: 'Request', as: 'code', value: (c) => c.requestId, roomy: true },
  { id: 'bytes', name: 'Bytes', as: 'number', value: (c) => c.bytes, roomy: true },
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

const VIEWS = Object.entries({ '': 'Source', headers: 'Headers' });

/** The page as text, never rendered: a field is marked where its value stands exactly once. */
function PageText({ body, fields, chosen }: { body: string; fields: readonly ReadField[]; chosen: string | null }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard
    <pre class="page-text" tabIndex={0}>
      {textParts(body, fields).map(({ text, path }, i) =>
        path === null ? (
          text
        ) : (
          <mark key={`${path} ${i}`} id={`mark-${path}`} class={path === chosen ? 'chosen' : undefined} title={path}>
            {text}
          </mark>
        ),
      )}
    </pre>
  );
}

/** What the parser read; a field whose value is marked in the page leads there. */
function Fields({ capture, fields, choose }: { capture: CapturePage; fields: readonly ReadField[]; choose: (path: string) => void }) {
  const unread = capture.unread.map((path) => [
    <a key="path" href={driftAt(capture.source, path)}>
      <code>{path}</code>
    </a>,
    <Pill key="value" tone="warn" text="place found, value not understood" />,
  ]);
  const read = fields.map(({ path, value, line }) => {
    const code = <code>{path}</code>;
    const shown = value === null ? '–' : <span class="cut">{value}</span>;
    return [
      line === null ? code : <Button text={code} class="quiet place" onClick={() => choose(path)} />,
      line === null ? shown : [shown, ' ', <span key="line" class="caption">{`line ${number(line)}`}</span>],
    ];
  });
  const columns = ['Field', 'Value'].map((name, i) => ({ name, of: (row: readonly ComponentChildren[]) => row[i] }));
  return <DataTable caption="What the parser read" rows={[...unread, ...read]} columns={columns} />;
}

function ShownCapture({ data: capture }: { data: CapturePage }) {
  const report = useSignal<ReplayReport | null>(null);
  const { capture: id, requestId } = capture;
  const chosen = useSignal<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const answers = capture.exchanges.flatMap(({ body, ...answer }) => (body === null ? [] : [{ ...answer, body }]));
  const named = Number(filterOf('_answer'));
  const asked = answers[named - 1] ? named : answers.length;
  const answer = answers[asked - 1];
  const fields = fieldsOf(capture.resource, answer?.body ?? '');
  const replay = async (): Promise<void> => {
    report.value = await admin('replayCaptures', { capture: id });
  };
  const choose = (path: string): void => {
    chosen.value = path;
    box.current?.querySelector(`#${CSS.escape(`mark-${path}`)}`)?.scrollIntoView({ block: 'center' });
  };
  return (
    <>
      <header class="lead">
        <p class="caption grow">
          {capture.operation ? operationName(capture.operation) : 'Shared document'} · {capture.source} · {moment(capture.at)} · version{' '}
          {capture.version} · {plural(capture.exchanges.length, 'exchange')}
        </p>
        <OutcomePill {...capture} />
        {requestId && <LinkButton href={pageAt(`/console/evidence?_request=${requestId}&_range=30d`)} text="All of this request" />}
        <Button text="Replay" class="primary" onClick={replay} />
        <AdminAct action="eraseCapture" input={{ capture: id }} done={() => go('/console/evidence')} title="Erase this capture" />
      </header>
      {(capture.what ?? capture.detail) && <p class="note">{[capture.what, capture.detail].filter(Boolean).join(' ')}</p>}
      <Replayed report={report.value} />
      <div class="beside">
        <Card title="The page as it came" aside={<ChoiceFilter id="_view" name="View" choices={VIEWS} />}>
          {answers.length > 1 && (
            <ChoiceFilter id="_answer" name="Answer" value={`${asked}`} choices={answers.map((_, i) => [`${i + 1}`, `Answer ${i + 1}`])} />
          )}
          {answer ? (
            <div ref={box}>
              <p class="caption">
                {answer.method} {answer.url} · {answer.status} · {number(answer.bytes)} bytes
                {answer.durationMs !== null && ` · ${duration(answer.durationMs)}`}
              </p>
              {filterOf('_view') === 'headers' ? (
                <Facts facts={Object.entries(answer.headers)} />
              ) : (
                <PageText body={answer.body} fields={fields} chosen={chosen.value} />
              )}
            </div>
          ) : (
            <p class="none">No answer came.</p>
          )}
          <p class="caption">
            Scripts and pictures are not loaded: this is text. A field is marked where its value stands in it exactly once.
          </p>
        </Card>
        <Card
          title="What the parser read"
          aside={`${fields.filter(({ value }) => value !== null).length} read · ${capture.unread.length} unread`}
        >
          <Fields capture={capture} fields={fields} choose={choose} />
        </Card>
      </div>
    </>
  );
}

export const Capture = pageOf(
  'capture',
  (capture) => ({
    title: `Capture ${capture.slice(0, 8)}`,
    back: ['/console/evidence', 'Evidence'],
    load: (signal) => admin('showCapture', { capture }, signal),
  }),
  ShownCapture,
);
