import type { ComponentChildren } from 'preact';
import type { AppKeywordRanking } from '../../contract/operations/app-keywords/operation.ts';
import type { Pagination } from '../../contract/operations/appmarket.ts';
import type { CategoryDetail } from '../../contract/operations/appstore-category/operation.ts';
import { NotStatedLine, OutLink, Tags } from '../parts/display.tsx';
import { plural } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import type { Column } from '../parts/table.tsx';
import { BulkChip, NextLink } from '../workbench/lookups.tsx';
import { AnswerGrid } from './answer-grid.tsx';
import { PageOf } from './app.tsx';
import { type DrawnProps, FindInput, nullsIn, soughtHere, stars, stated } from './shared.tsx';

type RankedApp = CategoryDetail['apps'][number] & { readonly developer?: string | null; readonly rating?: number | null };

/** An organic place of an app that can be compared. */
const placeOf = ({ handle, position, isSponsored }: RankedApp) =>
  handle !== null && position !== null && !isSponsored ? { handle, position } : null;

/** Places up since the answer before; null: there is no place to compare. */
function movement(app: RankedApp, before: readonly RankedApp[]): number | 'new' | null {
  const now = placeOf(app);
  if (!now) return null;
  const earlier = before.map(placeOf).findLast((each) => each?.handle === now.handle);
  return earlier ? earlier.position - now.position : 'new';
}
const movementInWords = (moved: number | 'new' | null): string | null =>
  typeof moved !== 'number' ? moved : moved === 0 ? 'unchanged' : moved > 0 ? `▲ up ${moved}` : `▼ down ${-moved}`;

const YES = (
  <span class="good-text">
    <Icon name="check" /> Yes
  </span>
);

type RankingProps = DrawnProps<{ readonly apps: readonly RankedApp[]; readonly pagination: Pagination }> & {
  readonly caption: string;
  readonly isRated?: boolean;
  readonly children: ComponentChildren;
};

function Ranking({ caption, resource: { apps, pagination }, before, isRated = false, children }: RankingProps) {
  const sought = soughtHere();
  const moved = (app: RankedApp) => before && movement(app, before.apps);
  const columns: readonly (Column<RankedApp> | false)[] = [
    { id: 'app', name: 'App', value: (app) => app.name, of: (app) => <OutLink href={app.url}>{stated(app.name)}</OutLink> },
    { id: 'place', name: 'Place', as: 'number', value: (app) => app.position, of: (app) => <strong>{stated(app.position)}</strong> },
    { id: 'handle', name: 'Handle', as: 'code', value: (app) => app.handle },
    before !== null && { id: 'moved', name: 'Moved', as: 'number', value: moved, of: (app) => movementInWords(moved(app)) },
    isRated && { id: 'rating', name: 'Rating', as: 'number', value: (app) => app.rating ?? null, of: (app) => stated(app.rating, stars) },
    {
      id: 'built',
      name: 'Built for Shopify',
      value: (app) => app.isBuiltForPlatform,
      of: (app) => (app.isBuiltForPlatform ? YES : stated(app.isBuiltForPlatform, () => 'No')),
    },
    isRated && { id: 'developer', name: 'Developer', value: (app) => app.developer ?? null },
  ];
  return (
    <>
      <p class="about">
        {children} <PageOf pagination={pagination} />
      </p>
      <AnswerGrid
        caption={caption}
        class="ranking"
        columns={columns.filter((column) => column !== false)}
        rows={apps}
        keyOf={(app) => apps.indexOf(app)}
        groups={(rows) => [
          ['Ads on this page', rows.filter((a) => a.isSponsored)],
          ['Organic', rows.filter((a) => !a.isSponsored)],
        ]}
        isMarked={({ handle }) => sought !== '' && handle?.includes(sought)}
        actions={({ handle }) => handle !== null && <Lookups handle={handle} />}
        none="No apps."
      >
        <FindInput label="Find an app by its handle" hint="Find a handle" />
        <BulkChip id="app" parameter="handle" values={apps.map((a) => a.handle)} />
      </AnswerGrid>
    </>
  );
}
const Lookups = ({ handle }: { handle: string }) => (
  <>
    <NextLink id="app" values={{ handle }} name="App" /> <NextLink id="app-reviews" values={{ handle }} name="Reviews" />
  </>
);

export const AppKeywordRankingView = ({ resource, before }: DrawnProps<AppKeywordRanking>) => (
  <article class="stack">
    <Ranking caption={`Ranking for ${resource.keyword}`} resource={resource} before={before} isRated>
      {resource.totalCount !== null && <strong>{plural(resource.totalCount, 'app')}</strong>} for “{resource.keyword}” ·
      {!resource.hasResults && ' nothing was found ·'}
    </Ranking>
    <NotStatedLine names={nullsIn({ 'Number of apps': resource.totalCount })} />
  </article>
);

export const CategoryDetailView = ({ resource, before }: DrawnProps<CategoryDetail>) => {
  const { name, description, appCount, level, breadcrumbs } = resource;
  return (
    <article class="stack">
      <nav aria-label="Path of the category">
        <ol class="breadcrumbs">
          {breadcrumbs.map(({ handle, url, name: above }, index) => (
            <li key={`${index}${handle}`}>
              {handle ? (
                <NextLink id="appstore-category" values={{ handle }} name={above ?? handle} />
              ) : (
                <OutLink href={url}>{stated(above)}</OutLink>
              )}{' '}
              <code class="about">{handle}</code>
            </li>
          ))}
        </ol>
      </nav>
      <h2>{stated(name)}</h2>
      {description !== null && <p class="text">{description}</p>}
      <Tags tags={resource.subCategories} none="no categories below" />
      <Ranking caption={`Apps of ${name ?? 'the category'}`} resource={resource} before={before}>
        {[appCount !== null && plural(appCount, 'app'), level && `level ${level}`, '']
          .filter((text) => typeof text === 'string')
          .join(' · ')}
      </Ranking>
      <NotStatedLine names={nullsIn({ 'Number of apps': appCount, Description: description, Level: level })} />
    </article>
  );
};
