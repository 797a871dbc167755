/** A page with every component and view of the console, each with the four sets of data. For the tests alone: no build ships it. */
import { type ComponentChildren, type ComponentType, type JSX, render } from 'preact';
import { textOfResult } from '../../../src/bulk/lines.ts';
import { CreateKey } from '../../../src/console/account/create-key.tsx';
import * as Credentials from '../../../src/console/account/credentials.tsx';
import { Home } from '../../../src/console/account/home.tsx';
import { Ledger } from '../../../src/console/account/ledger.tsx';
import { Request } from '../../../src/console/account/request.tsx';
import { Requests } from '../../../src/console/account/requests.tsx';
import { Usage } from '../../../src/console/account/usage.tsx';
import { KeyHelp } from '../../../src/console/app/keys.tsx';
import { operationOf } from '../../../src/console/app/operations.ts';
import { Palette } from '../../../src/console/app/palette.tsx';
import { contract, credits, readCredits, session } from '../../../src/console/app/session.ts';
import { Shell } from '../../../src/console/app/shell.tsx';
import { SignIn } from '../../../src/console/app/sign-in.tsx';
import { Chart, Legend, Spark } from '../../../src/console/charts/chart.tsx';
import { EndLabels, Line, Swatch } from '../../../src/console/charts/lines.tsx';
import { FilePage, FileView } from '../../../src/console/files/file-page.tsx';
import { Files } from '../../../src/console/files/files.tsx';
import { type Fact, type Job, newJob } from '../../../src/console/files/job.ts';
import { lookupsOf, type OpenFile, openFileOf } from '../../../src/console/files/open-file.ts';
import { readFile } from '../../../src/console/files/reading.ts';
import { files } from '../../../src/console/files/store.ts';
import { Account, Accounts } from '../../../src/console/operator/accounts.tsx';
import { Audit, Fleet } from '../../../src/console/operator/audit.tsx';
import { DriftPage } from '../../../src/console/operator/drift.tsx';
import { Capture, Evidence } from '../../../src/console/operator/evidence.tsx';
import { OperatorHome } from '../../../src/console/operator/home.tsx';
import { SourcePage } from '../../../src/console/operator/source.tsx';
import { Health, SourcesPage } from '../../../src/console/operator/sources.tsx';
import { Act } from '../../../src/console/parts/act.tsx';
import { AdminAct } from '../../../src/console/parts/admin.tsx';
import * as Controls from '../../../src/console/parts/controls.tsx';
import { Coverage, CoverageKey } from '../../../src/console/parts/coverage.tsx';
import * as Display from '../../../src/console/parts/display.tsx';
import { Domain, Mail } from '../../../src/console/parts/domain.tsx';
import * as Filtering from '../../../src/console/parts/filters.tsx';
import { number, short } from '../../../src/console/parts/format.ts';
import { ColumnChoice, Grid, ListPage } from '../../../src/console/parts/grid.tsx';
import { Brand, Icon, Mark } from '../../../src/console/parts/icons.tsx';
import { LoadedPage, Page, type PageEntry, Problem, Show } from '../../../src/console/parts/page.tsx';
import { Readable } from '../../../src/console/parts/readable.tsx';
import { ShownOnce } from '../../../src/console/parts/secret.tsx';
import { SecretInput } from '../../../src/console/parts/secret-input.tsx';
import { Stats } from '../../../src/console/parts/stats.tsx';
import { type Column, DataTable, Head, Windowed } from '../../../src/console/parts/table.tsx';
import { AddKeywords } from '../../../src/console/rankings/add-keywords.tsx';
import { Making } from '../../../src/console/rankings/making.tsx';
import { RankingsPage } from '../../../src/console/rankings/rankings.tsx';
import { readRankings } from '../../../src/console/rankings/read.ts';
import { ReportDialog } from '../../../src/console/rankings/report.tsx';
import { SitesDialog } from '../../../src/console/rankings/sites.tsx';
import { CodeField } from '../../../src/console/setup/code-field.tsx';
import { Keys as SetupKeys } from '../../../src/console/setup/keys.tsx';
import { Setup } from '../../../src/console/setup/setup.tsx';
import { Domains } from '../../../src/console/watches/domains.tsx';
import { ImportDomains } from '../../../src/console/watches/import-domains.tsx';
import { Messages } from '../../../src/console/watches/messages.tsx';
import { WatchThis } from '../../../src/console/watches/new-watch.tsx';
import { WatchPage } from '../../../src/console/watches/watch-page.tsx';
import { Changes, Watches } from '../../../src/console/watches/watches.tsx';
import { type Answer, openPast } from '../../../src/console/workbench/answer.ts';
import { CodeView } from '../../../src/console/workbench/code.tsx';
import { ErrorView, TraceView } from '../../../src/console/workbench/error-view.tsx';
import { JsonView } from '../../../src/console/workbench/json-view.tsx';
import { examplesOf } from '../../../src/console/workbench/request.ts';
import { VIEWS as ANSWERS, ShownAnswer } from '../../../src/console/workbench/shown.tsx';
import { Workbench } from '../../../src/console/workbench/workbench.tsx';
import type { GalleryData, SetName } from './data.ts';
import { faultsIn, signaturesIn } from './measure.ts';
import { faultsOf, type MODES } from './modes.ts';
import '../../../src/console/styles/font.css';
import './gallery.css';

declare global {
  interface Window {
    /** Put there by the test, before this script. */
    galleryData: GalleryData;
    gallery: typeof gallery;
  }
}
const { sets, contract: described } = window.galleryData;
const SETS = Object.keys(sets) as SetName[];

const LONG_KEYWORD = 'International recommendations for comfortable running shoes compared by physiotherapists and trainers';
/** What components are drawn with. */
const dataOf = (set: SetName) => {
  const isLong = set === 'long';
  const hasNulls = set === 'nulls' || set === 'empty';
  const text = isLong
    ? 'International recommendations for comfortable running shoes, compared by physiotherapists and experienced trainers of several federations'
    : 'Acme Widgets';
  return {
    set,
    isLong,
    word: isLong ? 'Interoperability' : 'Rank',
    text,
    url: hasNulls ? null : `https://www.acme-widgets.com/${isLong ? 'a_path_without_any_place_to_break_'.repeat(4) : ''}`,
    count: isLong ? 1_234_567_890 : 12,
    share: isLong ? 1 : 0.42,
    at: '2026-01-30T09:02:15.000Z',
    orNull: <T,>(value: T): T | null => (hasNulls ? null : value),
    list: <T,>(make: (nth: number) => T): readonly T[] =>
      Array.from({ length: { short: 2, long: 6, nulls: 2, empty: 0 }[set] }, (_, nth) => make(nth)),
  };
};
type Data = ReturnType<typeof dataOf>;

interface Entry {
  readonly name: string;
  readonly count: number | null;
  readonly about: string | null;
  readonly at: string | null;
}
const entriesOf = (d: Data): readonly Entry[] =>
  d.list((nth) => ({ name: `${d.text} ${nth}`, count: d.orNull(d.count - nth), about: d.orNull(d.text), at: d.orNull(d.at) }));
const COLUMNS: readonly Column<Entry>[] = [
  { id: 'name', name: 'Name', value: (e) => e.name },
  { id: 'count', name: 'Requests', as: 'number', value: (e) => e.count },
  { id: 'share', name: 'Share', as: 'share', value: (e) => e.count && 0.5, roomy: true },
  { id: 'took', name: 'Time', as: 'duration', value: (e) => e.count },
  { id: 'at', name: 'Last use', as: 'time', none: 'never', value: (e) => e.at },
  { id: 'about', name: 'About', value: (e) => e.about, of: (e) => e.about && <span class="cut">{e.about}</span> },
  { id: 'id', name: 'Id', as: 'code', value: (e) => e.about && 'key_4f1c9a2e', roomy: true },
];
const nothing = (): void => undefined;
const order = { sort: '-count', sortBy: nothing };
const listed = (d: Data) =>
  ({ columns: COLUMNS, rows: entriesOf(d), keyOf: (e: Entry) => e.name, none: 'No requests yet', icon: 'list' }) as const;
const choicesOf = (d: Data) => d.list((nth) => [String(nth), `${d.word} ${nth}`] as const);
const placesOf = (d: Data) => d.list((nth) => new Date(Date.UTC(2026, 0, nth + 1)).toISOString().slice(0, 10));
const seriesOf = (d: Data) =>
  ['Search results', d.text, 'Errors'].map((name, rank) => ({
    name,
    values: d.list((nth) => (nth % 5 === 3 || d.set === 'nulls' ? null : (d.count * (nth + 1)) / (rank + 1))),
    isError: rank === 2,
  }));
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ attempts: hour % 6 === 0 ? 0 : 10, good: [10, 10, 6, 2][hour % 4] ?? 0 }));

/** By the name of the export. */
const PARTS: Readonly<Record<string, (d: Data) => ComponentChildren>> = {
  Act: (d) => (
    <Act name="Rename" of={d.text} says={d.text} ask={[{ id: 'name', name: d.word, about: d.text, value: d.text }]} run={async () => ''} />
  ),
  AdminAct: () => (
    <AdminAct action="createKey" ask={{ label: 'Label', operations: { choices: [['serp', 'Search results']] }, expiresAt: 'Ends' }} />
  ),
  List: (d) => (
    <div class="grid">
      <DataTable
        caption={d.text}
        columns={COLUMNS.slice(0, 5)}
        rows={entriesOf(d)}
        list={{ ...order, keyOf: (e) => e.name, hrefOf: () => '#', actions: () => <button type="button" children={d.word} /> }}
      />
    </div>
  ),
  ColumnChoice: () => <ColumnChoice columns={COLUMNS} shown={COLUMNS.slice(0, 3)} {...order} show={nothing} />,
  Button: (d) =>
    ['', 'primary', 'danger', 'quiet'].map((style) => (
      <Controls.Button key={style} class={style} icon="plus" text={d.word} disabled={d.set === 'nulls'} />
    )),
  LinkButton: (d) => <Controls.LinkButton icon="list" href="#" text={d.word} />,
  Check: (d) => <Controls.Check text={d.text} isOn={d.isLong} set={nothing} />,
  SearchInput: (d) => <Controls.SearchInput label="Find a domain" value={d.orNull(d.text) ?? ''} set={nothing} />,
  Status: (d) => <Controls.Status words={d.orNull(d.text)} />,
  CopyButton: (d) =>
    [false, true].map((small) => <Controls.CopyButton key={String(small)} small={small} text={String} children={d.word} />),
  SecretInput: (d) => (
    <div class="field">
      <label for={`secret-${d.set}`}>{d.word}</label>
      <SecretInput id={`secret-${d.set}`} of={d.word} value={d.orNull(d.text) ?? ''} />
    </div>
  ),
  ShownOnce: (d) => <ShownOnce secret={d.text} example={d.orNull(d.url) ?? undefined} close={nothing} />,
  Readable: (d) => <Readable text={d.text} />,
  Dialog: (d) => <Controls.Dialog title={d.text} onClose={nothing} children={<p>{d.text}</p>} />,
  Chip: (d) => (
    <Controls.Chip
      name={d.word}
      value={d.text}
      changed={d.isLong}
      class={d.set === 'nulls' ? 'wrong-value' : ''}
      children={() => <p>{d.text}</p>}
    />
  ),
  Card: (d) =>
    [false, true].map((inset) => (
      <Display.Card key={String(inset)} title={d.text} aside={d.word} inset={inset} children={d.orNull(d.text)} />
    )),
  Pill: (d) => (['good', 'warn', 'bad', 'busy', 'plain'] as const).map((tone) => <Display.Pill key={tone} tone={tone} text={d.word} />),
  StatusPill: (d) =>
    [0, 200, 404, 429, 502].map((status) => (
      <Display.StatusPill key={status} status={status} children={d.isLong && ' UPSTREAM_UNREACHABLE'} />
    )),
  Note: (d) => [false, true].map((warn) => <Display.Note key={String(warn)} warn={warn} children={d.text} />),
  Meter: (d) => <Display.Meter share={d.share} isCap={d.isLong} />,
  Used: (d) => <Display.Used words={`${number(d.count)} of ${number(d.count)}`} share={d.share} />,
  Stats: (d) => (
    <Stats
      stats={d.list((nth) => [
        `${d.word} ${nth}`,
        d.orNull(number(d.count)) ?? '–',
        d.orNull(d.text),
        nth === 0 ? { isChosen: true, choose: nothing } : undefined,
      ])}
    />
  ),
  Choices: (d) =>
    [false, true].map((isList) => (
      <Controls.Choices key={String(isList)} legend={d.word} choices={choicesOf(d)} value="0" choose={nothing} isList={isList} />
    )),
  Rows: (d) =>
    [false, true].map((boxed) => (
      <Display.Rows
        key={String(boxed)}
        boxed={boxed}
        none="Nothing yet."
        rows={entriesOf(d).map((e) => ({
          id: e.name,
          icon: 'list',
          first: e.name,
          href: '#',
          second: e.about,
          aside: <Display.Pill tone="good" text={d.word} />,
        }))}
      />
    )),
  Empty: (d) => <Display.Empty icon="search" title={d.text} children={d.orNull(<p>{d.text}</p>)} />,
  Coverage: (d) =>
    [['organic', 'features', 'organic.rating'], ['text']].map((states) => (
      <p key={states[0]}>
        <Coverage states={d.isLong ? [...states, 'aiOverview', 'paid'] : states} lacks={d.list((nth) => `field${nth}`)} />
      </p>
    )),
  CoverageKey: () => <CoverageKey />,
  NotStated: () => <Display.NotStated />,
  NotStatedLine: (d) => <Display.NotStatedLine names={d.list((nth) => `${d.word} ${nth}`)} />,
  Facts: (d) => (
    <Display.Facts
      facts={[
        [d.word, d.orNull(d.text)],
        ['Address', d.url],
        ['Tags', d.list((nth) => `${d.word} ${nth}`)],
        ['Verified', d.isLong],
      ]}
    />
  ),
  Tags: (d) => <Display.Tags tags={d.list((nth) => `${d.word} ${nth}`)} />,
  OutLink: (d) => <Display.OutLink href={d.url} children={d.url ?? 'no address'} />,
  Picture: (d) => <Display.Picture src={d.url} what={d.word} />,
  Time: (d) => <Display.Time at={d.at} />,
  Ago: (d) => <Display.Ago at={d.at} />,
  Moment: (d) => <Display.Moment at={d.at} />,
  Domain: (d) => <Domain name={d.isLong ? `xn--mller-kva.${'long-label.'.repeat(20)}example` : 'xn--mller-kva.de'} />,
  Mail: (d) => <Mail address={`domain-holder@${d.isLong ? 'long-label.'.repeat(20) : 'acme-'}widgets.example`} />,
  Ranges: () => <div class="toolbar" children={<Filtering.Ranges names={['today', '7d', '30d', '90d']} usual="7d" />} />,
  ChoiceFilter: (d) => <Filtering.ChoiceFilter id="_state" name={d.word} choices={choicesOf(d)} />,
  Filters: (d) => (
    <div class="toolbar" children={<Filtering.Filters filters={['_key', { id: '_state', name: d.word, choices: choicesOf(d) }]} />} />
  ),
  Search: (d) => <Filtering.Search id="_q" label={d.text} />,
  Grid: (d) => (
    <Grid
      caption="Requests"
      {...listed(d)}
      summary={(rows) => `${rows.length} rows`}
      actions={() => <button type="button" children="Edit" />}
    />
  ),
  ListPage: (d) => (
    <ListPage
      title={d.text}
      {...listed(d)}
      about={d.text}
      filters={['_key']}
      isLive
      acts={() => <button type="button" children={d.word} />}
    />
  ),
  Icon: (d) => <Icon name="eye" large={d.isLong} />,
  Mark: (d) => <Mark size={d.isLong ? 48 : 24} />,
  Brand: () => <Brand />,
  Show: (d) => <Show loaded={d.isLong ? { failed: d.text } : d.set === 'short' ? { value: d.text } : {}} children={(value) => value} />,
  Wrong: (d) => <Problem class="wrong" words={d.orNull(d.text)} />,
  Problem: (d) => <Problem words={d.text} />,
  Page: (d) => (
    <Page
      title={d.text}
      back={['#', d.word]}
      again={nothing}
      actions={<button type="button" class="primary" children={d.word} />}
      children={<p>{d.text}</p>}
    />
  ),
  LoadedPage: (d) => <LoadedPage title={d.word} load={async () => d.text} children={(text) => <p>{text}</p>} />,
  DataTable: (d) => (
    <DataTable
      caption={d.text}
      rows={entriesOf(d)}
      isMarked={(e) => e.name.endsWith(' 1')}
      columns={[
        { name: 'Name', isHead: true, of: (e) => e.name },
        { name: 'Requests', as: 'number', value: (e) => e.count, none: '' },
        { name: 'About', wide: true, of: (e) => e.about ?? <Display.NotStated /> },
      ]}
    />
  ),
  Windowed: (d) => <Windowed items={entriesOf(d)} rowHeightPx={20} chunkSize={100} children={(e) => <p key={e.name}>{e.name}</p>} />,
  Chart: (d) =>
    [false, true].map((isLines) => (
      <Chart
        key={String(isLines)}
        title="Requests by day"
        places={placesOf(d)}
        series={seriesOf(d)}
        isLines={isLines}
        format={short}
        band={isLines ? { name: 'Usual', low: 0, high: d.count } : undefined}
        marks={new Map([[placesOf(d)[1] ?? '', d.text]])}
      />
    )),
  Legend: (d) => <Legend entries={d.list((nth) => [`d${(nth % 5) + 1}`, `${d.word} ${nth}`])} />,
  Health: (d) => <Health hours={d.set === 'empty' ? [] : HOURS} />,
  Line: (d) => (
    <svg class="chart" width="120" height="40" aria-hidden="true">
      <Line values={d.list((nth) => d.orNull(nth % 5))} shade="s2" mark={1} x={(at) => 8 + at * 10} y={(value) => 8 + value * 5} />
    </svg>
  ),
  EndLabels: (d) => (
    <svg class="chart" width="300" height="120" aria-hidden="true">
      <EndLabels
        x={8}
        y={(value) => value}
        top={8}
        bottom={112}
        lines={d.list((nth) => ({ name: `${d.word} ${nth}`, said: number(nth), end: d.orNull(60) }))}
      />
    </svg>
  ),
  Head: (d) => (
    <table>
      <thead>
        <tr>
          {COLUMNS.slice(0, 2).map((column) => (
            <Head key={column.id} column={column} {...order} mark={d.isLong && <Swatch shade="s2" />} />
          ))}
        </tr>
      </thead>
    </table>
  ),
  Swatch: (d) => (
    <p>
      {d.list((nth) => (
        <Swatch key={nth} shade={`s${(nth % 6) + 1}`} />
      ))}
    </p>
  ),
  Spark: (d) => <Spark name={d.word} values={d.list((nth) => d.orNull(nth % 5))} />,
};
/** Of these the first button of each set is pressed. */
const OPENED = new Set(['Act', 'AdminAct', 'Chip', 'ColumnChoice', 'Filters']);
/** They bring the box of a page. */
const BARE = new Set(['Page', 'ListPage', 'LoadedPage']);

function answerOf(set: SetName, status = 200, code = 'UPSTREAM_UNREACHABLE'): Answer {
  const operation = operationOf('serp');
  if (!operation) throw new Error('the contract has no serp');
  const { isLong, text } = dataOf(set);
  const body = sets[set].resources.SearchResult;
  const received = new Map(
    Object.entries({
      'x-request-id': 'req_4f1c9a2e',
      'x-credits-charged': '1',
      'x-data-source': 'searxng',
      'cache-status': 'sightline; fwd=miss; stored',
      ...(isLong && { 'x-fields-unread': 'organic.rating' }),
    }),
  );
  const error = status === 200 ? null : { code, message: text };
  return {
    ...{ operation, status, body, received, error },
    values: examplesOf(operation),
    headers: {},
    at: new Date(),
    text: JSON.stringify(body),
    ms: 1234,
    address: location.href,
  };
}
const inAnswer = (inside: ComponentChildren) => <div class="answer" children={inside} />;
const PARAMS = {
  fileId: 'f1',
  watchId: 'w1',
  requestId: 'r1',
  accountId: 'a1',
  capture: 'c1',
  source: 'searxng',
  field: 'rating',
  operation: 'serp',
};

const PAGES: Readonly<Record<string, ComponentType<{ readonly params: Readonly<Record<string, string>> }>>> = {
  ...{
    Home,
    Requests,
    Request,
    Usage,
    Ledger,
    Keys: Credentials.Keys,
    Clients: Credentials.Clients,
    Sessions: Credentials.Sessions,
    Watches,
    WatchPage,
    Changes,
  },
  ...{ Files, FilePage },
  ...{ Messages, Domains },
  ...{ OperatorHome, Accounts, Account, SourcesPage, SourcePage, Evidence, Capture, DriftPage, Audit, Fleet, Workbench, SignIn, Setup },
  RankingsPage,
};
const SHELL_PAGES = ['Home', 'Watches', 'Requests', 'Usage', 'Keys'].map(
  (name): PageEntry => [`/console/${name}`, name, 'home', () => null],
);
const VIEWS: Readonly<Record<string, (set: SetName) => JSX.Element>> = {
  ...Object.fromEntries(Object.entries(PAGES).map(([name, View]) => [name, () => <View params={PARAMS} />])),
  Shell: (set) => <Shell session={{ ...SESSION, name: dataOf(set).text }} pages={SHELL_PAGES} children={<p>{dataOf(set).text}</p>} />,
  // a source of the data
  SourcePage: () => <SourcePage params={{ source: 'searchengine/dataforseo' }} />,
  SetupKeys: () => <div class="setup" children={<main children={<SetupKeys of={CLAIMED} />} />} />,
  SetupCode: () => (
    <form class="setup">
      {[false, true].map((isWrong) => (
        <CodeField
          key={isWrong}
          of={{ value: isWrong ? 'ABCD-2345' : 'ABCD', 'aria-invalid': isWrong, 'aria-label': `Code ${isWrong}` }}
          set={nothing}
        />
      ))}
    </form>
  ),
  Palette: () => <Palette pages={SHELL_PAGES} />,
  KeyHelp: () => <KeyHelp />,
  JsonView: (set) => inAnswer(<JsonView shown={answerOf(set)} />),
  ErrorView: (set) => inAnswer(<ErrorView shown={answerOf(set, 502)} />),
  ErrorSources: (set) => inAnswer(<ErrorView shown={answerOf(set, 501, 'NOT_IMPLEMENTED')} />),
  ErrorCredits: (set) => inAnswer(<ErrorView shown={answerOf(set, 402, 'INSUFFICIENT_CREDITS')} />),
  ErrorAbsent: (set) => inAnswer(<ErrorView shown={answerOf(set, 404, 'NOT_FOUND')} />),
  ErrorLimited: (set) => inAnswer(<ErrorView shown={answerOf(set, 429, 'RATE_LIMITED')} />),
  TraceView: (set) => inAnswer(<TraceView shown={answerOf(set)} />),
  CodeView: (set) => inAnswer(<CodeView shown={answerOf(set)} />),
  Shown: (set) => <ShownAnswer shown={answerOf(set)} />,
  CreateKey: () => <CreateKey done={nothing} />,
  // what an act says once
  Secret: () => <Act name="Create" run={async () => ({ secret: CLAIMED.apiKey, example: `curl -H "X-API-Key: ${CLAIMED.apiKey}"` })} />,
  ImportDomains: () => <ImportDomains close={nothing} done={nothing} />,
  // the forms of watches and domains
  WatchThis: (set) => <WatchThis shown={answerOf(set)} />,
};
/** Of these the first button is pressed. */
const OPENED_VIEWS: readonly string[] = ['WatchThis', 'CreateKey', 'Secret'];
/** Of these the form is sent, too. */
const SENT_VIEWS: readonly string[] = ['Secret'];

const CLAIMED = {
  ...{ accountId: 'acc_1', keyId: 'key_1', apiKey: `sl_${'4nC0mXw81kQ'.repeat(3)}`, operatorKey: `slo_${'T2v9Lq7Hc4X'.repeat(3)}` },
  operatorUrl: 'http://127.0.0.1:9090/console',
};

const SESSION = {
  kind: 'account',
  accountId: 'acc_1',
  name: 'Northlight',
  keyId: null,
  limited: false,
  manages: true,
  createdAt: '',
  idleExpiresAt: '',
  expiresAt: '',
} as const;

let now: SetName = 'short';
/** Replies that have not been read yet. */
let awaited = 0;
window.fetch = async (input) => {
  awaited++;
  // a reply comes when others do, not within the call
  await new Promise((resolve) => setTimeout(resolve));
  awaited--;
  const { pathname, searchParams } = new URL(String(input), location.href);
  const found = sets[now].replies.find(([path]) => new RegExp(`^(?:/console/api)?${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname));
  if (!found) throw new Error(`the gallery has no reply for ${pathname}`);
  const [, reply] = found;
  const headers = { 'x-request-id': 'req_4f1c9a2e' };
  // one page more, at most
  const page = searchParams.has('after') && !Array.isArray(reply) ? { ...(reply as object), after: null, hasMore: false } : reply;
  return Response.json(page, { headers });
};
HTMLDialogElement.prototype.showModal = HTMLDialogElement.prototype.show;
// popovers close where the focus goes elsewhere
addEventListener('focusin', (event) => event.stopImmediatePropagation(), true);

const root = document.body.appendChild(Object.assign(document.createElement('main'), { className: 'gallery' }));

function mount(id: string, children: ComponentChildren): HTMLElement {
  const name = Object.assign(document.createElement('p'), { className: 'name caption', textContent: id });
  const section = Object.assign(document.createElement('section'), { id });
  root.append(name, section);
  // radio buttons of another section have the same names
  render(children, section.appendChild(document.createElement('form')));
  return section;
}

let changes = 0;
new MutationObserver(() => changes++).observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
/** Until nothing is asked for and nothing has changed for some frames. */
async function settled(): Promise<void> {
  for (let calm = 0, before = -1; calm < 3; calm++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (changes !== before || awaited > 0) calm = 0;
    before = changes;
  }
}

/** What is drawn stays as it is, whatever is opened later. */
function freeze(section: HTMLElement): void {
  const root = section.firstElementChild;
  if (!root) return;
  const copies = [...root.childNodes].map((node) => node.cloneNode(true));
  render(null, root);
  root.replaceChildren(...copies);
}

async function build(): Promise<void> {
  contract.value = described;
  credits.value = 9_999;
  session.value = SESSION;
  for (const [name, draw] of Object.entries(PARTS)) {
    const boxes = SETS.map((set) => <div key={set} class={BARE.has(name) ? undefined : 'page'} children={draw(dataOf(set))} />);
    const section = mount(`part-${name}`, boxes);
    if (!OPENED.has(name)) continue;
    for (const box of section.firstElementChild?.children ?? [])
      [...box.querySelectorAll('button')].find((button) => button.checkVisibility())?.click();
  }
  await settled();
  for (const set of SETS) {
    now = set;
    for (const [resourceName, resource] of Object.entries(sets[set].resources)) {
      const View = ANSWERS[resourceName];
      mount(`answer-${resourceName}-${set}`, inAnswer(<div class="drawn" children={View && <View resource={resource} before={null} />} />));
    }
    for (const [name, draw] of Object.entries(VIEWS)) {
      if (name === 'Workbench' && set !== 'short') openPast(answerOf(set));
      const section = mount(`view-${name}-${set}`, draw(set));
      if (OPENED_VIEWS.includes(name)) section.querySelector('button')?.click();
      if (SENT_VIEWS.includes(name)) {
        await settled();
        section.querySelector<HTMLFormElement>('dialog form')?.requestSubmit();
      }
      if (name !== 'Workbench') continue;
      await settled();
      freeze(section);
    }
    for (const [name, file] of Object.entries(await openFilesOf(set))) mount(`view-${name}-${set}`, <FileView file={file} />);
    await settled();
  }
  await buildRankings();
  (document.activeElement as HTMLElement | null)?.blur();
  // a view of a file that runs reads it from time to time: what it says then is said from the beginning
  await readCredits();
  await settled();
  // asked for by name: under load none may be under way yet, and `ready` would be true of nothing
  await Promise.all([...document.fonts].map((face) => face.load()));
  await document.fonts.ready;
}

/** Rankings: dialogs of the page, drawn with what the page has read. */
async function buildRankings(): Promise<void> {
  for (const set of SETS) {
    now = set;
    const shown = await readRankings(new AbortController().signal);
    mount(`view-SitesDialog-${set}`, <SitesDialog shown={shown} close={nothing} done={nothing} />);
    mount(`view-ReportDialog-${set}`, <ReportDialog shown={shown} close={nothing} />);
    mount(`view-AddKeywords-${set}`, <AddKeywords ranked="sites" tags={[dataOf(set).text]} close={nothing} done={nothing} />);
    const failed = dataOf(set).list((nth) => ({ line: nth + 1, keyword: dataOf(set).text, why: dataOf(set).text }));
    const progress = { made: dataOf(set).count, checked: 1, credits: dataOf(set).count, failed };
    mount(`view-Making-${set}`, <Making of={progress} count={2 * dataOf(set).count} isChecked isOver={set !== 'long'} leave={nothing} />);
    await settled();
  }
}

/** Files in each of their states. `nulls` stands for a file in foreign languages. */
const FILES: Readonly<Record<SetName, readonly string[]>> = {
  short: [
    'keyword,country,depth,note',
    'running shoes,US,10,Mara',
    'laufschuhe,Deutschland,20,',
    ',US,10,',
    'best shoes,XX,10,',
    'trail shoes,GB,10,',
  ],
  long: [
    `keyword;country;depth;${'a column whose name is as long as a sentence; '.replaceAll(';', ',')}note`,
    ...Array.from(
      { length: 40 },
      (_, nth) => `${LONG_KEYWORD} ${nth};Bosnien und Herzegowina;${nth % 4 === 0 ? 5000 : 200};${LONG_KEYWORD}`,
    ),
  ],
  nulls: [
    '検索語;国;数;メモ',
    'ランニングシューズ;日本;10;',
    'أحذية الجري;Ägypten;10;',
    'кроссовки;Россия;10,0;',
    'løbesko;Danmark;10;æøå',
    'giày chạy bộ;Nam;10;',
  ],
  empty: ['keyword,country'],
};
const FILE_NAMES = {
  short: 'keywords-november.csv',
  long: `${LONG_KEYWORD.replaceAll(' ', '-')}.csv`,
  nulls: 'キーワード.csv',
  empty: 'empty.csv',
} as const;

async function openFilesOf(set: SetName): Promise<Readonly<Record<string, OpenFile>>> {
  const bytes = new TextEncoder().encode(FILES[set].join('\n'));
  const holds = set === 'nulls' ? ['keyword', 'location', 'depth', null] : undefined;
  const { isLong, at, count } = dataOf(set);
  const base = { ...newJob('acc_1', FILE_NAMES[set], bytes.length, 'serp', at), chosen: holds ? { holds } : {} };
  const run = { id: 'file-4f1c9a2e', since: null };
  const begun = {
    run,
    at,
    endedAt: null,
    ranMs: 150_000,
    lookups: 4,
    most: count,
    balance: count,
    again: isLong ? [2, 3, 5] : [],
    twice: null,
  };
  const make = async (state: Job['state'], share: number, more: Partial<Job> = {}): Promise<OpenFile> => {
    const job = { ...base, id: `${set}-${state}`, state, begun: state === 'draft' ? null : begun, ...more };
    const reading = await readFile(bytes, job);
    const todo = lookupsOf(reading);
    const facts = new Map<number, Fact>();
    for (const [nth, { line }] of todo.slice(0, Math.ceil(todo.length * share)).entries()) {
      const isFailed = nth % 3 === 2;
      const error = isFailed
        ? { code: 'UPSTREAM_BLOCKED', message: `The source refused. ${isLong ? LONG_KEYWORD : ''}`, retryable: false }
        : undefined;
      const result = {
        status: isFailed ? 502 : 200,
        ok: !isFailed,
        credits: isFailed ? 0 : 1,
        source: 'searxng',
        cache: nth % 2 ? 'hit' : 'miss',
      };
      const resource = isFailed ? {} : { resource: JSON.stringify(sets[set].resources.SearchResult) };
      const lookup = reading.plan.lookups.find((one) => one.line === line);
      const text = textOfResult(
        { line, input: lookup ? reading.plan.textsOf(lookup) : {} },
        { ...result, ...resource, ...(error && { error }) },
        at,
      );
      const { code = null, message = null, retryable = false } = error ?? {};
      const fact = { ...result, line, code, message, retryable, bytes: text.length, at, brief: isFailed ? null : '10 results' };
      facts.set(line, fact);
      await files.answer(job.id, fact, text);
    }
    const file = openFileOf(job, bytes, facts);
    file.reading.value = reading;
    return file;
  };
  const [draft, running, paused, done] = await Promise.all([
    make('draft', 0),
    make('running', 0.5),
    make('paused', 0.5),
    make('done', 1, { begun: { ...begun, endedAt: at, twice: isLong ? [[3, 2]] : [] } }),
  ]);
  running.wait.value = {
    untilMs: Date.parse(at) + 3 * 86_400_000,
    words: isLong ? LONG_KEYWORD : 'the service refuses: Too many requests.',
  };
  const obstacle = { kind: 'credits', words: 'INSUFFICIENT_CREDITS: The account has 0 credits left.' } as const;
  paused.job.value = { ...paused.job.peek(), obstacle };
  return { FileMap: draft, FileRunning: running, FilePaused: paused, FileDone: done };
}

const sources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = import.meta.glob('../../../src/console/{parts,charts}/*.tsx', {
  eager: true,
});
const components = Object.values(sources).flatMap((source) =>
  Object.entries(source).filter(([name, value]) => /^[A-Z]/.test(name) && typeof value === 'function'),
);

const MOST_PX = 900;
const sections = () => [...root.querySelectorAll<HTMLElement>(':scope > section')];
const gallery = {
  ready: build(),
  /** Components that have no section. */
  lacking: components.flatMap(([name]) => (name in PARTS ? [] : [name])),
  pages: Object.keys(PAGES),
  settled,
  faults: () => faultsIn(sections()),
  faultsIn: (mode: keyof typeof MODES) => faultsOf(mode, sections()),
  /** What the next print loses. It is laid out anew, without the scripts that draw for a width. */
  lostInPrint: () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof faultsOf>>();
    matchMedia('print').addEventListener('change', ({ matches }) => matches && resolve(faultsOf('print', sections())));
    return promise;
  },
  boxes: () => sections().map(boxOf),
  /** For pictures: of long sections the upper part. What is not near the window is not drawn. */
  crop(isCropped: boolean) {
    const heights = sections().map(({ offsetHeight }) => `${Math.min(MOST_PX, offsetHeight)}px`);
    for (const [at, section] of sections().entries()) section.style.blockSize = isCropped ? (heights[at] ?? '') : '';
    root.classList.toggle('cropped', isCropped);
  },
  /** Scrolls to a height, and waits until what is there is drawn. */
  async show(top: number): Promise<number> {
    scrollTo(0, top);
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return scrollY;
  },
  signatures: signaturesIn,
};
function boxOf(section: Element) {
  const { left, top, width, height } = section.getBoundingClientRect();
  return { id: section.id, left, top: top + scrollY, width, height };
}
window.gallery = gallery;
