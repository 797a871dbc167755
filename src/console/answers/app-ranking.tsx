import type { AppKeywordRanking, CategoryDetail } from '../../contract/operations/appmarket.ts';
import { number, plural } from '../parts/format.ts';
import { OutLink } from '../parts/links.tsx';
import { Facts, NotStated, Stated, Tags, yesNo } from '../parts/stated.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { PageOf } from './app-reviews.tsx';

type RankedApp = CategoryDetail['apps'][number] & { readonly developer?: string | null; readonly rating?: number | null };

const named = (app: RankedApp) => (
  <>
    <OutLink href={app.url}>{app.name ?? <NotStated />}</OutLink>
    <br />
    <span class="small">
      <Stated value={app.handle} />
    </span>
  </>
);

/** `−2` up, `+3` down, `new`: the place against the answer before, where there is one. */
function Movement({ app, before }: { app: RankedApp; before: ReadonlyMap<string, number> | null }) {
  if (!before || app.handle === null || app.position === null || app.isSponsored) return <span class="small">–</span>;
  const earlier = before.get(app.handle);
  if (earlier === undefined) return <span class="moved new">new</span>;
  const moved = earlier - app.position;
  if (moved === 0) return <span class="moved">unchanged</span>;
  return moved > 0 ? <span class="moved up">▲ up {moved}</span> : <span class="moved down">▼ down {-moved}</span>;
}

/** Organic places by handle. */
export const placesOf = (apps: readonly RankedApp[]): ReadonlyMap<string, number> =>
  new Map(apps.flatMap((a) => (a.handle !== null && a.position !== null && !a.isSponsored ? [[a.handle, a.position]] : [])));

const columns = (before: ReadonlyMap<string, number> | null): readonly Column<RankedApp>[] => [
  {
    name: 'Place',
    numeric: true,
    of: (a) => (
      <>
        <Stated value={a.position}>{(p) => (a.isSponsored ? `ad ${p}` : `#${p}`)}</Stated>
      </>
    ),
  },
  { name: 'Moved', of: (a) => <Movement app={a} before={before} /> },
  { name: 'App', of: named },
  { name: 'Sponsored', of: (a) => <Stated value={yesNo(a.isSponsored)} /> },
  { name: 'Built for the platform', of: (a) => <Stated value={yesNo(a.isBuiltForPlatform)} /> },
];

interface RankingProps<T> {
  readonly resource: T;
  /** The answer to the same request before this one, for the movement of places. */
  readonly before: T | null;
}

export function AppKeywordRankingView({ resource, before }: RankingProps<AppKeywordRanking>) {
  return (
    <article class="card">
      <h3>Apps for “{resource.keyword}”</h3>
      <p class="small">
        {resource.totalCount === null ? (
          <>
            Number of apps: <NotStated />
          </>
        ) : (
          `${plural(resource.totalCount, 'app')} in all`
        )}
        {!resource.hasResults && ' · nothing was found'}
      </p>
      <DataTable
        caption={`Ranking for ${resource.keyword}`}
        rows={resource.apps}
        keyOf={(_, at) => at}
        none="No app is ranked."
        columns={[
          ...columns(before && placesOf(before.apps)),
          { name: 'Developer', of: (a) => <Stated value={a.developer ?? null} /> },
          { name: 'Rating', numeric: true, of: (a) => <Stated value={a.rating ?? null}>{(r) => `★ ${r}`}</Stated> },
        ]}
      />
      <PageOf pagination={resource.pagination} />
    </article>
  );
}

export function CategoryDetailView({ resource, before }: RankingProps<CategoryDetail>) {
  return (
    <article class="card">
      <nav aria-label="Path of the category">
        <ol class="breadcrumbs">
          {resource.breadcrumbs.map((b, at) => (
            <li key={`${at}${b.handle}`}>
              <OutLink href={b.url}>{b.name ?? <NotStated />}</OutLink>{' '}
              <span class="small">
                <Stated value={b.handle} />
              </span>
            </li>
          ))}
        </ol>
      </nav>
      <h3>
        <Stated value={resource.name} />
      </h3>
      <p class="text">
        <Stated value={resource.description} />
      </p>
      <Facts
        facts={[
          ['Apps in all', resource.appCount === null ? null : number(resource.appCount)],
          ['Level', resource.level],
          ['Below', <Tags key="below" tags={resource.subCategories} />],
        ]}
      />
      <DataTable
        caption={`Apps of ${resource.name ?? 'the category'}`}
        rows={resource.apps}
        keyOf={(_, at) => at}
        none="No app on this page."
        columns={columns(before && placesOf(before.apps))}
      />
      <PageOf pagination={resource.pagination} />
    </article>
  );
}
