import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { CapturePage, ReplayReport } from '../../contract/admin/evidence-actions.ts';
import { operationName } from '../app/operations.ts';
import { at, go } from '../app/place.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { Card, Choices, Pill } from '../parts/card.tsx';
import { Button, LinkButton } from '../parts/controls.tsx';
import { filterOf, setFilters } from '../parts/filters.tsx';
import { duration, moment, number, plural } from '../parts/format.ts';
import { LoadedPage } from '../parts/page.tsx';
import '../parts/grid.css';
import { Facts } from '../parts/stated.tsx';
import { DataTable } from '../parts/table.tsx';
import { OutcomePill, Replayed } from './evidence.tsx';
import { fieldsOf, type ReadField, textParts } from './marked-text.ts';
import { driftAt } from './sources.tsx';

type Exchange = CapturePage['exchanges'][number];

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
  const unread = capture.unread.map((path) => ({ path, value: undefined, line: null }));
  return (
    <DataTable<Omit<ReadField, 'value'> & { readonly value: string | null | undefined }>
      caption="What the parser read"
      rows={[...unread, ...fields]}
      keyOf={({ path, value }) => `${value === undefined} ${path}`}
      columns={[
        {
          name: 'Field',
          of: ({ path, value, line }) => {
            const code = <code>{path}</code>;
            if (value === undefined) return <a href={driftAt(capture.source, path)}>{code}</a>;
            if (line === null) return code;
            return <Button text={code} class="quiet" onClick={() => choose(path)} />;
          },
        },
        {
          name: 'Value',
          of: ({ value, line }) =>
            value === undefined ? (
              <Pill tone="warn" text="place found, value not understood" />
            ) : (
              <>
                {value === null ? '–' : <span class="cut">{value}</span>}{' '}
                {line !== null && <span class="caption">line {number(line)}</span>}
              </>
            ),
        },
      ]}
    />
  );
}

function Shown({ capture }: { capture: CapturePage }) {
  const report = useSignal<ReplayReport | null>(null);
  const chosen = useSignal<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const answers = capture.exchanges.filter((e): e is Exchange & { body: string } => e.body !== null);
  const asked = Number(filterOf('_answer') || answers.length);
  const answer = answers[asked - 1];
  const view = filterOf('_view') === 'headers' ? 'headers' : 'source';
  const fields = fieldsOf(capture.resource, answer?.body ?? '');
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
        {capture.requestId && (
          <LinkButton href={at(`/console/evidence?_request=${capture.requestId}&_range=30d`)} text="All of this request" />
        )}
        <AdminAct
          action="eraseCapture"
          input={{ capture: capture.capture }}
          done={() => go('/console/evidence')}
          name="Erase"
          style="danger"
          title="Erase this capture"
          says="Its file is removed for good: its page can neither be read nor replayed any more. The audit log keeps that it was erased."
        />
        <Button
          text="Replay"
          class="primary"
          onClick={async () => {
            report.value = await admin('replayCaptures', { capture: capture.capture });
          }}
        />
      </header>
      {(capture.what ?? capture.detail) && <p class="note">{[capture.what, capture.detail].filter(Boolean).join(' ')}</p>}
      <Replayed report={report.value} />
      <div class="beside">
        <Card
          title="The page as it came"
          aside={
            <Choices
              legend="View"
              choices={[
                ['source', 'Source'],
                ['headers', 'Headers'],
              ]}
              value={view}
              choose={(_view) => setFilters({ _view })}
            />
          }
        >
          {answers.length > 1 && (
            <Choices
              legend="Answer"
              choices={answers.map((_, i) => [String(i + 1), `Answer ${i + 1}`] as const)}
              value={String(asked)}
              choose={(_answer) => setFilters({ _answer })}
            />
          )}
          {answer ? (
            <div ref={box}>
              <p class="caption">
                {answer.method} {answer.url} · {answer.status} · {number(answer.bytes)} bytes
                {answer.durationMs !== null && ` · ${duration(answer.durationMs)}`}
              </p>
              {view === 'headers' ? (
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
          aside={
            <span class="caption">{`${fields.filter(({ value }) => value !== null).length} read · ${capture.unread.length} unread`}</span>
          }
        >
          <Fields capture={capture} fields={fields} choose={choose} />
        </Card>
      </div>
    </>
  );
}

export const Capture = ({ params: { capture: id = '' } }: { params: Readonly<Record<string, string>> }) => (
  <LoadedPage
    title={`Capture ${id.slice(0, 8)}`}
    back={['/console/evidence', 'All captures']}
    load={(signal) => admin('showCapture', { capture: id }, signal)}
    keys={[id]}
  >
    {(capture) => <Shown capture={capture} />}
  </LoadedPage>
);
