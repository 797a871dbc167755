import { useSignal } from '@preact/signals';
import { Component } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { listenForPageKeys } from '../app/keys.tsx';
import { setQuery } from '../app/place.ts';
import { mayManage } from '../app/session.ts';
import { Button, Choices, download, Status } from '../parts/controls.tsx';
import { Empty } from '../parts/display.tsx';
import { ChoiceFilter, type Filter, Filters, filterOf, Ranges, rangeOf, Search, setFilters } from '../parts/filters.tsx';
import { capital, day, number, plural, VALUES } from '../parts/format.ts';
import { shortMinute } from '../parts/minute.ts';
import { Page, Problem, Show, useLoaded, wordsOf } from '../parts/page.tsx';
import { AddKeywords } from './add-keywords.tsx';
import { Matrix } from './matrix.tsx';
import { choiceOf, fileName, readAs, readRankings, type ShownRankings, USUAL, WORDS } from './read.ts';
import { ReportDialog } from './report.tsx';
import { SitesDialog, SitesForm } from './sites.tsx';
import { Standing, Visibility } from './visibility.tsx';
import './rankings.css';

const SPANS: Readonly<Record<string, string>> = { '7d': '7 days', '30d': '30 days', '90d': '90 days', '1y': '1 year', dates: 'These days' };

/** When the checks of the last day ended. */
function checkedInWords({ rankings: { keywords } }: ShownRankings): string {
  const times = keywords.flatMap(({ checkedAt }) => checkedAt ?? []).sort();
  const [last, first] = [times.at(-1), times.find((time) => time.slice(0, 10) === times.at(-1)?.slice(0, 10))];
  const count = plural(keywords.length, 'keyword');
  if (!last || !first) return `${count} · no check in these days`;
  const [from, to] = [shortMinute(first), shortMinute(last)];
  return `${count} · last checks ${from === to ? '' : `${from} to `}${to}`;
}

const filtersOf = ({ ranked, rankings: { choices } }: ShownRankings): readonly Filter[] =>
  (
    [
      ['location', 'Country', choices.locations],
      ['device', 'Device', choices.devices],
      ['tag', 'Tag', choices.tags],
    ] as const
  )
    .filter(([id]) => ranked === 'sites' || id === 'tag')
    .map(([id, name, values]) => ({ id, name, choices: values.map((value) => [value, capital(choiceOf(id, value))]) }));

/** No filter. */
const NONE = Object.fromEntries(['location', 'device', 'engine', 'tag', '_q'].map((id) => [id, '']));
const OF = [
  ['', 'Sites in search'],
  ['apps', 'Apps in the App Store'],
] as const;
function Kinds({ ranked, rankings: { choices } }: ShownRankings) {
  const kinds = [['', 'Google and Bing'] as const, ...choices.engines.map((id) => [id, VALUES.get(id) ?? id] as const)];
  return (
    <>
      <Choices
        legend="What is ranked"
        choices={OF}
        value={ranked === 'apps' ? 'apps' : ''}
        choose={(id) => setFilters({ ...NONE, _of: id })}
      />
      {choices.engines.length > 1 && <ChoiceFilter id="engine" name="Kind" choices={kinds} />}
    </>
  );
}

type KeywordsProps = Readonly<{ shown: ShownRankings; add: () => void; saveAll: () => void }>;
function Keywords({ shown, add, saveAll }: KeywordsProps) {
  const sought = filterOf('_q').toLowerCase();
  const keywords = useMemo(() => shown.rankings.keywords.filter(({ keyword }) => keyword.toLowerCase().includes(sought)), [shown, sought]);
  const { keywords: all, choices } = shown.rankings;
  const { one } = WORDS[shown.ranked];
  const hasNone = shown.ranked === 'apps' ? all.length === 0 && filterOf('tag') === '' : choices.locations.length === 0;
  if (hasNone)
    return (
      <Empty icon="wave" title="No keywords yet">
        <p>{WORDS[shown.ranked].keywords}</p>
        {mayManage() && <Button class="primary" icon="plus" text="Add keywords" onClick={add} />}
      </Empty>
    );
  if (keywords.length === 0)
    return (
      <Empty icon="search" title="No keywords with these filters">
        <Button text="Clear the filters" onClick={() => setFilters(NONE)} />
      </Empty>
    );
  const depths = [...new Set(keywords.map(({ depth }) => depth))].filter(Boolean).sort((a, b) => a - b);
  const beyond = depths.map((depth) => `${depth}+: not in the first ${depth}`).slice(0, 3);
  return (
    <div class="grid">
      <Matrix shown={shown} keywords={keywords} span={SPANS[rangeOf(USUAL).name] ?? ''} sortBy={(sort) => setQuery({ _sort: sort })}>
        <Button text={`CSV by ${one}`} title={`A row for each keyword and ${one} of these days, as the API has them`} onClick={saveAll} />
      </Matrix>
      <p class="about">
        {number(keywords.length)} of {plural(shown.rankings.keywords.length, 'keyword')} · bold: a rival above{' '}
        {shown.sites.own === null ? `the first ${one}` : 'you'} · {beyond.join(' · ')} · –: no answer · empty: not asked in these days
      </p>
    </div>
  );
}

type OverviewProps = Readonly<{ shown: ShownRankings }>;
/** Drawn again for other numbers alone: sorting and finding change the rows below. */
class Overview extends Component<OverviewProps> {
  override shouldComponentUpdate(next: OverviewProps): boolean {
    return next.shown !== this.props.shown;
  }
  override render({ shown }: OverviewProps) {
    return (
      <div class="columns">
        <Visibility {...shown} />
        <Standing {...shown} />
      </div>
    );
  }
}

export function RankingsPage() {
  const { from, to } = rangeOf(USUAL);
  const opened = useSignal<'sites' | 'add' | 'report' | null>(null);
  const said = useSignal<string | null>(null);
  const asked = ['location', 'device', 'engine', 'tag', '_of'].map(filterOf);
  const { loaded, value, reload } = useLoaded(readRankings, [from, to, ...asked]);
  const close = (): void => {
    opened.value = null;
  };
  const open = (what: 'sites' | 'add' | 'report') => (): void => {
    opened.value = what;
  };
  const done = (): void => {
    close();
    void reload();
  };
  useLayoutEffect(
    () =>
      listenForPageKeys({
        '/': () => document.querySelector<HTMLElement>('#main search input')?.focus(),
        ...(mayManage() && { s: open('sites') }),
        ...(mayManage() && { a: open('add') }),
      }),
    [],
  );
  const saveCsv = async (shown: ShownRankings): Promise<void> => {
    said.value = null;
    try {
      download(`${fileName(shown)}-by-${WORDS[shown.ranked].one}.csv`, 'text/csv', await readAs('csv'));
    } catch (error) {
      said.value = wordsOf(error);
    }
  };
  const hasSites = value !== undefined && value.rankings.sites.length > 0;
  const hasKeywords = hasSites && value.rankings.keywords.length > 0;
  const acts = (
    <>
      {hasSites && mayManage() && <Button icon="sliders" text={value.ranked === 'apps' ? 'Apps' : 'Sites'} onClick={open('sites')} />}
      {hasKeywords && value.ranked === 'sites' && <Button icon="print" text="Report" onClick={open('report')} />}
      {hasSites && mayManage() && <Button class="primary" icon="plus" text="Add keywords" onClick={open('add')} />}
    </>
  );
  return (
    <Page title="Rankings" actions={acts}>
      <Problem words={said.value} />
      <Show loaded={loaded}>
        {(shown) => (
          <>
            {!hasSites && (
              <div class="toolbar filters">
                <Kinds {...shown} />
              </div>
            )}
            {!hasSites ? (
              <section class="card first-sites">
                <h2>{WORDS[shown.ranked].first}</h2>
                <p>{WORDS[shown.ranked].about} All of it is read from the checks that your watches store: this page makes no lookup.</p>
                {mayManage() ? (
                  <SitesForm key={shown.ranked} shown={shown} done={done} />
                ) : (
                  <p class="about">A key that manages the account names the {WORDS[shown.ranked].one}s.</p>
                )}
              </section>
            ) : (
              <>
                <div class="toolbar filters of-rankings">
                  <Kinds {...shown} />
                  <Ranges names={['7d', '30d', '90d', '1y']} usual={USUAL} />
                  <Filters filters={filtersOf(shown)} />
                  <Search id="_q" label="Find a keyword" />
                  <span class="caption end" title={`${day(from)} to ${day(to)}. This page makes no lookup.`}>
                    {checkedInWords(shown)}
                  </span>
                </div>
                {hasKeywords && <Overview shown={shown} />}
                <Keywords shown={shown} add={open('add')} saveAll={() => void saveCsv(shown)} />
              </>
            )}
            {opened.value === 'sites' && <SitesDialog shown={shown} close={close} done={done} />}
            {opened.value === 'add' && <AddKeywords ranked={shown.ranked} tags={shown.rankings.choices.tags} close={close} done={done} />}
            {opened.value === 'report' && <ReportDialog shown={shown} close={close} />}
          </>
        )}
      </Show>
      <Status words={value ? checkedInWords(value) : null} />
    </Page>
  );
}
