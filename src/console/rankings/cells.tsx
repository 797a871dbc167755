import type { ComponentChildren } from 'preact';
import { Spark } from '../charts/chart.tsx';
import { Swatch } from '../charts/lines.tsx';
import { country, day, number, plural, VALUES } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { readableDomain } from '../parts/readable-domain.ts';
import { isAbove, type Keyword, type ShownRankings, stateOfPlace } from './read.ts';

/** The mark of a site by its place in the list. */
export const SiteMark = ({ rank }: { rank: number }) => <Swatch shade={`s${rank + 1}`} />;
export const siteName = ({ sites: { own }, rankings: { sites } }: ShownRankings, rank: number): string =>
  rank === 0 && own !== null ? 'you' : readableDomain(sites[rank] ?? '');

/** What sets a keyword apart from another watch of the same one, where they differ. */
export function aboutOf({ rankings: { choices } }: ShownRankings, { location, device, engine }: Keyword): string {
  const parts = [
    choices.locations.length > 1 && country(location),
    choices.devices.length > 1 && device,
    choices.engines.length > 1 && VALUES.get(engine),
  ];
  return parts.filter(Boolean).join(', ');
}

export const KeywordName = ({ keyword, shown }: { keyword: Keyword; shown: ShownRankings }) => {
  const about = aboutOf(shown, keyword);
  return (
    <span class="of" title={[keyword.keyword, about].filter(Boolean).join(' · ')}>
      {keyword.keyword}
      {about && <small class="unstated"> {about}</small>}
    </span>
  );
};

export const placeBeyond = ({ depth }: Keyword): string => (depth === 0 ? 'none' : `${depth}+`);
export function placeText(keyword: Keyword, site: number): string {
  const state = stateOfPlace(keyword, site);
  if (state === 'unasked') return '';
  if (state === 'failed') return '–';
  if (state === 'beyond') return placeBeyond(keyword);
  return number(keyword.sites[site]?.place ?? 0);
}
export function placeInWords(keyword: Keyword, site: number): string {
  const { checkedAt, failedAt, depth, sites } = keyword;
  const place = sites[site]?.place ?? null;
  const last = place === null ? (depth === 0 ? 'no results' : `not in the first ${depth}`) : `place ${place}`;
  if (failedAt !== null) return `no answer on ${day(failedAt)}${checkedAt ? `; ${last} on ${day(checkedAt)}` : ''}`;
  return checkedAt === null ? 'not asked in these days' : `${last} on ${day(checkedAt)}`;
}
export const Place = ({ keyword, site }: { keyword: Keyword; site: number }) => {
  const text = placeText(keyword, site);
  const isStrong = site === 0 ? stateOfPlace(keyword, 0) === 'found' : isAbove(keyword, site);
  const Tag = isStrong ? 'strong' : 'span';
  return (
    <Tag class={stateOfPlace(keyword, site) === 'found' ? undefined : 'unstated'} title={placeInWords(keyword, site)}>
      {text}
    </Tag>
  );
};

const Moved = ({ by, words }: { by: 'up' | 'down'; words: string }) => (
  <span class={`moved ${by === 'up' ? 'good' : 'bad'}`}>
    <Icon name={by === 'up' ? 'up' : 'fall'} />
    <span class="visually-hidden">{by} </span>
    {words}
  </span>
);
/** Arrow and number; `shown`: the number without its sign. */
export const Change = ({ by, shown = number(Math.abs(by)) }: { by: number; shown?: string }) =>
  by === 0 ? <span class="unstated">0</span> : <Moved by={by > 0 ? 'up' : 'down'} words={shown} />;

/** Places won since the first answer of these days, or what else there is to say of them. */
export function changeIn({ days, failedAt, sites }: Keyword): number | 'new' | 'out' | '–' | '' {
  const { change = null, place = null, first = null } = sites[0] ?? {};
  if (failedAt === null && change !== null) return change;
  if (failedAt !== null || days.length < 2 || place === first) return days.length > 0 || failedAt ? '–' : '';
  return place === null ? 'out' : 'new';
}
export function ChangeOf({ keyword }: { keyword: Keyword }) {
  const change = changeIn(keyword);
  if (typeof change === 'number') return <Change by={change} />;
  if (change === 'new' || change === 'out') return <Moved by={change === 'new' ? 'up' : 'down'} words={change} />;
  return <span class="unstated">{change}</span>;
}

/** The course of the first site, with a gap for each day without an answer. */
export const CourseOf = ({ keyword, days }: { keyword: Keyword; days: readonly string[] }) => {
  const places = new Map(keyword.days.map(({ day: on, places }) => [on, places[0] ?? null]));
  return <Spark name="Place" isRank values={days.map((on) => places.get(on) ?? null)} />;
};

type Marks = { readonly ranks: readonly number[]; readonly children: ComponentChildren };
const Marked = ({ ranks, children }: Marks) => (
  <span class="with-icon">
    {ranks.map((rank) => (
      <SiteMark key={rank} rank={rank} />
    ))}
    <span class="of">{children}</span>
  </span>
);
const soft = (words: string) => <span class="unstated">{words}</span>;

export function SnippetOf({ keyword, shown }: { keyword: Keyword; shown: ShownRankings }) {
  if (keyword.checkedAt === null) return null;
  const rank = keyword.sites.findIndex(({ hasSnippet }) => hasSnippet);
  if (rank >= 0) return <Marked ranks={[rank]}>{siteName(shown, rank)}</Marked>;
  return keyword.snippet === null ? (
    soft('none')
  ) : (
    <span class="unstated of" title={keyword.snippet} children={readableDomain(keyword.snippet)} />
  );
}

export function citedInWords(keyword: Keyword, shown: ShownRankings): string {
  const { cited, sites, checkedAt } = keyword;
  if (checkedAt === null) return '';
  if (cited === null) return 'none shown';
  const ranks = citedRanks(keyword);
  const [first = 0] = ranks;
  if (ranks.length === 0) return `none of ${sites.length}`;
  if (ranks.length === 1) return siteName(shown, first);
  return first === 0 ? `${siteName(shown, 0)} + ${ranks.length - 1}` : plural(ranks.length, 'rival');
}
export const citedRanks = ({ sites }: Keyword): readonly number[] => sites.flatMap(({ isCited }, rank) => (isCited ? [rank] : []));
export function CitedOf({ keyword, shown }: { keyword: Keyword; shown: ShownRankings }) {
  const [ranks, words] = [citedRanks(keyword), citedInWords(keyword, shown)];
  return ranks.length === 0 ? soft(words) : <Marked ranks={ranks}>{words}</Marked>;
}
