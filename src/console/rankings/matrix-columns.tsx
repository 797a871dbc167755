import { number } from '../parts/format.ts';
import { readableDomain } from '../parts/readable-domain.ts';
import type { Column } from '../parts/table.tsx';
import {
  aboutOf,
  ChangeOf,
  CitedOf,
  CourseOf,
  changeIn,
  citedInWords,
  citedRanks,
  KeywordName,
  Place,
  placeBeyond,
  placeText,
  SnippetOf,
} from './cells.tsx';
import type { Keyword, ShownRankings } from './read.ts';

export type GridColumn = Column<Keyword> & { readonly isOwn?: boolean };

const placeOfSite = (rank: number): Pick<GridColumn, 'as' | 'value' | 'inFile' | 'of'> => ({
  as: 'number',
  value: (k) => k.sites[rank]?.place ?? null,
  inFile: (k) => placeText(k, rank),
  of: (k) => <Place keyword={k} site={rank} />,
});
const Best = ({ keyword: { sites } }: { keyword: Keyword }) => number(sites[0]?.best ?? 0).replace(/^0$/, '–');

/** The places of the first site by day, such as `3 – 20+ 2`. */
function courseInFile(k: Keyword, days: readonly string[]): string {
  const places = new Map(k.days.map(({ day, places }) => [day, places[0] ?? placeBeyond(k)]));
  return days.map((day) => places.get(day) ?? '–').join(' ');
}

/** The columns; those of the first site are tinted. */
export function columnsOf(shown: ShownRankings, span: string): readonly GridColumn[] {
  const { sites, visibility } = shown.rankings;
  const days = visibility.map(({ day }) => day);
  const changeOf = ({ sites: [first] }: Keyword) => first?.change ?? null;
  return [
    {
      id: 'keyword',
      name: 'Keyword',
      value: (k) => k.keyword,
      inFile: (k) => [k.keyword, aboutOf(shown, k)].filter(Boolean).join(' · '),
      of: (k) => <KeywordName keyword={k} shown={shown} />,
    },
    { id: 'place', name: 'Place', isOwn: true, ...placeOfSite(0) },
    { id: 'change', name: 'Change', as: 'number', isOwn: true, value: changeOf, inFile: changeIn, of: (k) => <ChangeOf keyword={k} /> },
    { id: 'best', name: 'Best', as: 'number', isOwn: true, value: (k) => k.sites[0]?.best ?? null, of: (k) => <Best keyword={k} /> },
    {
      id: 'course',
      name: span,
      isOwn: true,
      value: (k) => k.days.length,
      inFile: (k) => courseInFile(k, days),
      of: (k) => <CourseOf keyword={k} days={days} />,
    },
    ...sites.slice(1).map((name, nth): GridColumn => ({ id: `site${nth + 1}`, name: readableDomain(name), ...placeOfSite(nth + 1) })),
    ...(shown.ranked === 'apps' ? [] : ofSearches(shown)),
  ];
}
const ofSearches = (shown: ShownRankings): readonly GridColumn[] => [
  {
    id: 'snippet',
    name: 'Snippet',
    value: (k) => k.snippet,
    inFile: (k) => (k.checkedAt === null ? null : (k.snippet ?? 'none')),
    of: (k) => <SnippetOf keyword={k} shown={shown} />,
    roomy: true,
  },
  {
    id: 'cites',
    name: 'AI cites',
    value: (k) => citedInWords(k, shown),
    inFile: (k) =>
      citedRanks(k)
        .map((rank) => shown.rankings.sites[rank])
        .join('; ') || citedInWords(k, shown),
    of: (k) => <CitedOf keyword={k} shown={shown} />,
    roomy: true,
  },
];

/** Pixels: a window with all but the rivals and the columns that need room, beside a name and a letter of it, those columns, a window that has them in any case. */
const [OTHERS, BESIDE, LETTER, ROOMY, WIDE] = [680, 24, 6.2, 210, 1440];
/** The windows that have room for the names of the rivals, for which marks stand elsewhere, and for the columns that need it. */
export function roomOf({ rankings: { sites } }: ShownRankings): Readonly<Record<'names' | 'all', string>> {
  const named = sites.slice(1).reduce((px, site) => px + BESIDE + LETTER * readableDomain(site).length, OTHERS);
  return {
    names: `(width >= ${named + ROOMY}px), (${named}px <= width < ${WIDE}px)`,
    all: `print, (width >= ${Math.min(named + ROOMY, WIDE)}px)`,
  };
}
