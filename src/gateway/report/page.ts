import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Rankings } from '../../contract/account/ranking-schemas.ts';
import { escaped } from '../http/html-page.ts';
import { chartOf, markOf } from './chart.ts';
import { displayName, longDay, percent, plural, readableSite, shortDay, spanInWords } from './words.ts';

/** The console's font, embedded. */
const faceOf = (family: string, file: string): string =>
  `@font-face{font-family:"${family}";font-weight:400 650;src:url(data:font/woff2;base64,${readFileSync(new URL(`../../console/fonts/${file}`, import.meta.url), 'base64')})}`;
const STYLE = faceOf('Inter', 'inter-latin.woff2') + readFileSync(new URL('./report.css', import.meta.url), 'utf8');
/** Letters of other Latin alphabets, where a text has one. */
const EXTENDED = faceOf('Inter Extended', 'inter-latin-ext.woff2');
const OF_EXTENDED = /[\u0100-\u0130\u0132-\u0151\u0154-\u017f]/;
const styleDigest = (style: string): string => `'sha256-${hash('sha256', style, 'base64')}'`;
/** No script, no other origin: what it needs is in it, so that it can be sent as a file. */
export const REPORT_POLICY = `default-src 'none'; style-src ${styleDigest(STYLE)} ${styleDigest(EXTENDED)}; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface ReportTexts {
  readonly title?: string | undefined;
  readonly client?: string | undefined;
  readonly sender?: string | undefined;
  readonly own: string | null;
  /** The day on which it is made, UTC. */
  readonly madeOn: string;
}
type Keyword = Rankings['keywords'][number];

const [MOST_MOVES, FIRST_ROWS] = [3, 10];
const PAGE_PX = 690;
const PHONE_PX = 288;

const cellOf = ({ days, failedAt, depth, sites }: Keyword, rank: number): string => {
  if (failedAt !== null) return '–';
  if (days.length === 0) return '';
  return String(sites[rank]?.place ?? `${depth}+`);
};

/** How far the first site moved; beyond the depth counts as the place after it. */
function stepOf({ sites: [first], days, depth, failedAt }: Keyword): number {
  if (!first || days.length < 2 || failedAt !== null) return 0;
  return (first.first ?? depth + 1) - (first.place ?? depth + 1);
}

function sentenceOf(keyword: Keyword, sites: readonly string[], own: string): string {
  const { depth, snippet, sites: places, keyword: name } = keyword;
  const { first = null, place = null } = places[0] ?? {};
  const [start, now] = [first ?? `${depth}+`, place ?? `${depth}+`];
  const isOn = (value: number | null): boolean => value !== null && value <= 10;
  const page = isOn(place) === isOn(first) ? '' : isOn(place) ? ', now on the first page' : ', left the first page';
  const holder = places.findIndex(({ hasSnippet }) => hasSnippet);
  const facts = [
    places[0]?.isCited && `The AI overview cites ${own}.`,
    snippet !== null && `${holder >= 0 ? sites[holder] : snippet} holds the snippet.`,
  ].filter((fact) => typeof fact === 'string');
  return `<li><b>${escaped(name)}</b>: ${start} → ${now}${page}. ${escaped(facts.join(' '))}</li>`;
}

function overviewOf({ cited, sites, checkedAt }: Keyword, isOwn: boolean): string {
  if (checkedAt === null) return '';
  if (cited === null) return '<span class="soft">none shown</span>';
  if (sites[0]?.isCited) return isOwn ? '<b>cites you</b>' : '<b>cites the first</b>';
  return sites.some(({ isCited }) => isCited) ? 'cites others' : `<span class="soft">none of ${sites.length}</span>`;
}

/** The marks stand for the sites: their names, which are long, stand once above the columns, on each page. */
function tableOf({ sites, from }: Rankings, keywords: readonly Keyword[], isOwn: boolean, name = ''): string {
  const names = sites.map((site, rank) => `<span>${markOf(rank)} ${escaped(site)}</span>`).join(' ');
  const heads = sites.slice(1).map((site, i) => `<th scope="col">${markOf(i + 1)}<span class="hidden">${escaped(site)}</span></th>`);
  const rows = keywords.map((keyword) => {
    const first = keyword.days.length > 1 ? (keyword.sites[0]?.first ?? `${keyword.depth}+`) : '–';
    const rivals = sites.slice(1).map((_, i) => `<td>${cellOf(keyword, i + 1)}</td>`);
    return `<tr><th scope="row">${escaped(keyword.keyword)}</th><td><b>${cellOf(keyword, 0)}</b></td><td>${first}</td>${rivals.join('')}<td>${overviewOf(keyword, isOwn)}</td></tr>`;
  });
  return `<div class="box ${name}" role="region" aria-label="${name === '' ? 'First keywords' : 'Further keywords'}" tabindex="0"><table><thead><tr><td class="names" colspan="${sites.length + 3}">${names}</td></tr><tr><th scope="col">Keyword</th><th scope="col">${markOf(0)} Place</th><th scope="col">${shortDay(from)}</th>${heads.join('')}<th scope="col">AI overview</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function figuresOf({ standing, from }: Rankings): string {
  const [first] = standing.sites;
  if (!first) return '';
  const since = (before: number | null): string => (before === null ? 'no day before' : `${before} before`);
  const figures = [
    [
      'Visibility',
      first.visibility === null ? '–' : percent(first.visibility),
      first.visibilityBefore === null ? 'no day before' : `${percent(first.visibilityBefore)} at first`,
    ],
    ['On the first page', first.firstPage.now, `of ${standing.keywords}, ${since(first.firstPage.before)}`],
    ['In the first three', first.firstThree.now, since(first.firstThree.before)],
    ['Cited by AI overviews', first.cited.now, `of ${standing.overviews.now} shown, ${since(first.cited.before)}`],
  ] as const;
  return `<dl class="figures" title="before: on the first day with an answer since ${longDay(from)}">${figures.map(([name, figure, about]) => `<div><dt>${name}</dt><dd>${figure}<small>${about}</small></dd></div>`).join('')}</dl>`;
}

const readable = ({ sites, keywords, standing, ...rest }: Rankings): Rankings => ({
  ...rest,
  sites: sites.map(readableSite),
  keywords: keywords.map((keyword) => ({ ...keyword, snippet: keyword.snippet && readableSite(keyword.snippet) })),
  standing: { ...standing, sites: standing.sites.map((one) => ({ ...one, site: readableSite(one.site) })) },
});

/** The printable report: its first page has figures, chart, what moved most and ten keywords. */
export function reportPage(answer: Rankings, { title, client, sender, own, madeOn }: ReportTexts): string {
  const rankings = readable(answer);
  const { sites, keywords, standing, from, to } = rankings;
  const subject = own === null ? (sites[0] ?? '') : readableSite(own);
  const heading = title ?? (subject === '' ? 'Rankings' : `${subject} in search`);
  const values = (of: (keyword: Keyword) => string): string => [...new Set(keywords.map(of))].map(displayName).join(' and ');
  const places = new Set(keywords.map(({ location }) => location)).size > 3 ? 'several countries' : values(({ location }) => location);
  const about = [
    spanInWords(from, to),
    [values(({ engine }) => engine), places, values(({ device }) => device)].filter(Boolean).join(', '),
    plural(keywords.length, 'keyword'),
  ].filter(Boolean);
  const moves = keywords
    .filter((keyword) => stepOf(keyword) !== 0)
    .sort((a, b) => Math.abs(stepOf(b)) - Math.abs(stepOf(a)))
    .slice(0, MOST_MOVES);
  const [shown, rest] = [keywords.slice(0, FIRST_ROWS), keywords.slice(FIRST_ROWS)];
  const depths = [...new Set(keywords.map(({ depth }) => depth))]
    .sort((a, b) => a - b)
    .map((depth) => `${depth}+: not in the first ${depth}.`);
  const made = [
    sender && `<b>${escaped(sender)}</b><br>`,
    client && `for ${escaped(client)}<br>`,
    `<span class="soft">prepared ${longDay(madeOn)}</span>`,
  ];
  const list = standing.sites.map(
    ({ site, visibility }, rank) => `<li>${markOf(rank)} ${escaped(site)} <b>${visibility === null ? '–' : percent(visibility)}</b></li>`,
  );
  const body = `
<header><div><h1>${escaped(heading)}</h1><p class="soft">${escaped(about.join(' · '))}</p></div><p>${made.filter(Boolean).join('')}</p></header>
<main>
${figuresOf(rankings)}
<h2>Visibility</h2>
<div class="wide">${chartOf(rankings, PAGE_PX, true)}</div>
<div class="narrow">${chartOf(rankings, PHONE_PX, false)}<ul class="sites">${list.join('')}</ul></div>
<p class="soft">Visibility: the mean of 1 / place over the keywords that were answered that day; a place beyond 20 counts 0. A gap is a day without an answer.</p>
<h2>What moved most</h2>
${moves.length > 0 ? `<ul class="moves">${moves.map((keyword) => sentenceOf(keyword, sites, subject)).join('')}</ul>` : '<p>No keyword moved in these days.</p>'}
<h2>Keywords</h2>
${tableOf(rankings, shown, own !== null)}
<p class="soft">${rest.length > 0 ? `${shown.length} of ${keywords.length}, the rest on the next pages. ` : ''}${depths.slice(0, 3).join(' ')} –: no answer at the last check. All places are of stored checks.</p>
${rest.length > 0 ? tableOf(rankings, rest, own !== null, 'rest') : ''}
</main>`;
  const extended = OF_EXTENDED.test(body) ? `<style>${EXTENDED}</style>` : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(heading)}</title><style>${STYLE}</style>${extended}</head><body>${body}</body></html>
`;
}
