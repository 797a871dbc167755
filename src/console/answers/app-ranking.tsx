import type { ComponentChildren } from 'preact';
import type { AppKeywordRanking, CategoryDetail } from '../../contract/operations/appmarket.ts';
import { plural } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { OutLink } from '../parts/links.tsx';
import { NotStated, NotStatedLine, Tags } from '../parts/stated.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { BulkChip, NextLink } from '../workbench/next-links.tsx';
import { PageOf } from './app-reviews.tsx';
import { type DrawnProps, FindInput, nullsIn, soughtHere, stars, stated } from './shared.tsx';

type RankedApp = CategoryDetail['apps'][number] & { readonly developer?: string | null; readonly rating?: number | null };

/** An organic place of an app that can be compared. */
const placeOf = ({ handle, position, isSponsored }: RankedApp) =>
  handle !== null && position !== null && !isSponsored ? { handle, position } : null;

function movement(app: RankedApp, before: readonly RankedApp[]): ComponentChildren {
  const now = placeOf(app);
  if (!now) return <NotStated />;
  const earlier = before.map(placeOf).findLast((each) => each?.handle === now.handle);
  const moved = earlier ? earlier.position - now.position : null;
  return moved === null ? 'new' : moved === 0 ? 'unchanged' : moved > 0 ? `▲ up ${moved}` : `▼ down ${-moved}`;
}

const YES = (
  <span class="good-text">
    <Icon name="check" /> Yes
  </span>
);

/** `before`: the answer to the same request before this one, for the movement of places. */
const columnsOf = (before: readonly RankedApp[] | undefined, isRated: boolean): readonly Column<RankedApp>[] => [
  { name: '#', numeric: true, of: (app) => <strong>{stated(app.position)}</strong> },
  { name: 'App', isHead: true, of: (app) => <OutLink href={app.url}>{stated(app.name)}</OutLink> },
  { name: 'Handle', wide: true, of: (app) => <code>{stated(app.handle)}</code> },
  ...(before ? [{ name: 'Moved', of: (app: RankedApp) => movement(app, before) }] : []),
  ...(isRated ? [{ name: 'Rating', numeric: true, of: (app: RankedApp) => stated(app.rating, stars) }] : []),
  { name: 'Built for the platform', wide: true, of: (app) => (app.isBuiltForPlatform ? YES : stated(app.isBuiltForPlatform, () => 'No')) },
  ...(isRated ? [{ name: 'Developer', wide: true, of: (app: RankedApp) => stated(app.developer) }] : []),
  {
    name: 'Look up',
    numeric: true,
    of: ({ handle }) => handle !== null && [<NextLink key="app" id="app" values={{ handle }} />, ' ', reviewsOf(handle)],
  },
];
const reviewsOf = (handle: string) => <NextLink key="reviews" id="app-reviews" values={{ handle }} name="Reviews" />;

interface RankingProps {
  readonly caption: string;
  readonly apps: readonly RankedApp[];
  readonly columns: readonly Column<RankedApp>[];
  readonly children: ComponentChildren;
}

function Ranking({ caption, apps, columns, children }: RankingProps) {
  const sought = soughtHere();
  return (
    <>
      <div class="toolbar">
        <p class="about grow">{children}</p>
        <FindInput label="Find an app by its handle" hint="Find a handle" />
        <BulkChip id="app" parameter="handle" values={apps.map((a) => a.handle)} />
      </div>
      <DataTable
        caption={caption}
        class="ranking"
        columns={columns}
        rows={apps}
        groups={[
          ['Ads on this page', apps.filter((a) => a.isSponsored)],
          ['Organic', apps.filter((a) => !a.isSponsored)],
        ]}
        keyOf={({ handle }, index) => `${index}${handle}`}
        isMarked={({ handle }) => sought !== '' && handle?.includes(sought)}
        none="No apps."
      />
    </>
  );
}

export const AppKeywordRankingView = ({ resource, before }: DrawnProps<AppKeywordRanking>) => {
  const { keyword, apps, totalCount, hasResults, pagination } = resource;
  return (
    <article class="stack">
      <Ranking caption={`Ranking for ${keyword}`} apps={apps} columns={columnsOf(before?.apps, true)}>
        {totalCount !== null && <strong>{plural(totalCount, 'app')}</strong>} for “{keyword}” · <PageOf pagination={pagination} />
        {!hasResults && ' · nothing was found'}
      </Ranking>
      <NotStatedLine names={nullsIn({ 'Number of apps': totalCount })} />
    </article>
  );
};

export const CategoryDetailView = ({ resource, before }: DrawnProps<CategoryDetail>) => {
  const { name, description, appCount, level, breadcrumbs, apps } = resource;
  return (
    <article class="stack">
      <nav aria-label="Path of the category">
        <ol class="breadcrumbs">
          {breadcrumbs.map(({ handle, url, name: above }, index) => (
            <li key={`${index}${handle}`}>
              {handle === null ? (
                <OutLink href={url}>{stated(above)}</OutLink>
              ) : (
                <NextLink id="appstore-category" values={{ handle }} name={above ?? handle} />
              )}{' '}
              <code class="about">{handle}</code>
            </li>
          ))}
        </ol>
      </nav>
      <h2>{stated(name)}</h2>
      {description !== null && <p class="text">{description}</p>}
      <Tags tags={resource.subCategories} none="no categories below" />
      <Ranking caption={`Apps of ${name ?? 'the category'}`} apps={apps} columns={columnsOf(before?.apps, false)}>
        {appCount !== null && `${plural(appCount, 'app')} · `}
        {level && `level ${level} · `}
        <PageOf pagination={resource.pagination} />
      </Ranking>
      <NotStatedLine names={nullsIn({ 'Number of apps': appCount, Description: description, Level: level })} />
    </article>
  );
};
