import type { ComponentType } from 'preact';
import { answerTable, csvOf, recordsIn } from '../../contract/tables.ts';
import type { DrawnProps } from '../answers/shared.tsx';
import { moveAlong } from '../app/keys.tsx';
import { place, setQuery } from '../app/place.ts';
import { Button, Chip, download } from '../parts/controls.tsx';
import { Note } from '../parts/display.tsx';
import { Icon } from '../parts/icons.tsx';
import { later } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import { WatchThis } from '../watches/new-watch.tsx';
import { type Answer, answerBefore } from './answer.ts';
import { CodeView, PagesLine } from './code.tsx';
import { ErrorView, TraceView } from './error-view.tsx';
import { JsonView } from './json-view.tsx';
import { pathOf } from './request.ts';

type AnswerView = ComponentType<DrawnProps<unknown>>;

/** The view of each resource. */
export const VIEWS: Readonly<Record<string, AnswerView>> = {
  SearchResult: later(async () => (await import('../answers/search-result.tsx')).SearchResultView as AnswerView),
  ShortVideo: later(async () => (await import('../answers/social-post.tsx')).ShortVideoView as AnswerView),
  MicroblogPost: later(async () => (await import('../answers/social-post.tsx')).MicroblogPostView as AnswerView),
  ForumPostPage: later(async () => (await import('../answers/forum.tsx')).ForumPostPageView as AnswerView),
  ForumThread: later(async () => (await import('../answers/forum.tsx')).ForumThreadView as AnswerView),
  AppProfile: later(async () => (await import('../answers/app.tsx')).AppProfileView as AnswerView),
  AppReviewPage: later(async () => (await import('../answers/app.tsx')).AppReviewPageView as AnswerView),
  AppKeywordRanking: later(async () => (await import('../answers/app-ranking.tsx')).AppKeywordRankingView as AnswerView),
  CategoryDetail: later(async () => (await import('../answers/app-ranking.tsx')).CategoryDetailView as AnswerView),
  DeveloperProfile: later(async () => (await import('../answers/app.tsx')).DeveloperProfileView as AnswerView),
  TrafficEstimate: later(async () => (await import('../answers/traffic-estimate.tsx')).TrafficEstimateView as AnswerView),
  DomainRegistration: later(async () => (await import('../answers/domain-registration.tsx')).DomainRegistrationView as AnswerView),
};

interface ViewProps {
  readonly shown: Answer;
}

function Preview({ shown }: ViewProps) {
  if (shown.status === 304) return <Note>The answer that you have is still valid (304). Nothing was sent again.</Note>;
  const unread = shown.received.get('x-fields-unread');
  const View = VIEWS[shown.operation.resourceName];
  return (
    <div class="drawn">
      {unread && <Note warn>The page of the source had fields that could not be read: {unread}.</Note>}
      <PagesLine shown={shown} />
      {View ? (
        <View resource={shown.body} before={answerBefore(shown)?.body ?? null} />
      ) : (
        <p class="none">This answer is shown as JSON alone.</p>
      )}
    </div>
  );
}

const TableView = later(async () => (await import('./table-view.tsx')).TableView);

const HeadersView = ({ shown: { operation, values, headers, received } }: ViewProps) => (
  <div class="stack">
    <h2>Request</h2>
    <pre class="box">
      {[`GET ${pathOf(operation, values)}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n')}
    </pre>
    <h2>Answer</h2>
    <DataTable
      caption="Headers of the answer"
      rows={[...received]}
      none="There was no answer."
      columns={['Header', 'Value'].map((name, i) => ({ name, of: (row: readonly string[]) => <code class="long">{row[i]}</code> }))}
    />
  </div>
);

type Tab = readonly [id: string, name: string, View: ComponentType<ViewProps>];

function tabsOf(shown: Answer): readonly Tab[] {
  const { entries } = shown.operation.tables;
  const rows = entries && !shown.error && shown.body !== null ? recordsIn(entries, shown.body).length : 0;
  return [
    shown.error ? ['preview', 'Error', ErrorView] : ['preview', 'Preview', Preview],
    ...(rows > 0 ? [['table', `Table ${rows}`, TableView] as const] : []),
    ['json', 'JSON', JsonView],
    ['code', 'Code', CodeView],
    ['headers', 'Headers', HeadersView],
    ...(shown.received.has('x-request-id') ? [['trace', 'Trace', TraceView] as const] : []),
  ];
}

const FILES = [
  ['entries', '', 'Download CSV'],
  ['paid', '-ads', 'Download ads as CSV'],
] as const;

/** The answer as files: JSON as it came, and its lists as the CSV of `sightline bulk --rows`. */
function Downloads({ shown: { operation, text, body, error } }: ViewProps) {
  const tables = FILES.flatMap(([rows, suffix, name]) => {
    const table = operation.tables[rows];
    const file = `${operation.id}${suffix}.csv`;
    return table && !error && body !== null ? [[name, file, 'text/csv', () => csvOf(answerTable(table, body))] as const] : [];
  });
  return (
    <Chip
      label="Download"
      value={
        <>
          <Icon name="download" />
          <span>Download</span>
        </>
      }
      class="quiet"
    >
      {(close) => (
        <div class="menu">
          {[['Download JSON', `${operation.id}.json`, 'application/json', () => text] as const, ...tables].map(
            ([name, file, type, read]) => (
              <Button
                key={file}
                icon="download"
                text={name}
                onClick={() => {
                  download(file, type, read());
                  close();
                }}
              />
            ),
          )}
        </div>
      )}
    </Chip>
  );
}

export function ShownAnswer({ shown }: ViewProps) {
  const tabs = tabsOf(shown);
  const wanted = place.value.query.get('_tab');
  const here = tabs.find(([id]) => id === wanted) ?? tabs[0];
  if (!here) return null;
  const [open, , View] = here;
  return (
    <>
      <div class="tab-bar">
        <div class="tabs" role="tablist" aria-label="The answer" onKeyDown={(e) => moveAlong(e, '[role=tab]')?.click()}>
          {tabs.map(([id, name]) => (
            <Button
              key={id}
              id={`tab-${id}`}
              text={name}
              role="tab"
              aria-selected={id === open}
              aria-controls="answer-panel"
              tabIndex={id === open ? 0 : -1}
              onClick={() => setQuery({ _tab: id === 'preview' ? null : id })}
            />
          ))}
        </div>
        {shown.error === null && <WatchThis shown={shown} />}
        <Downloads shown={shown} />
      </div>
      <div id="answer-panel" class="answer" role="tabpanel" aria-labelledby={`tab-${open}`} tabIndex={-1}>
        <View key={shown.at.getTime()} shown={shown} />
      </div>
    </>
  );
}
