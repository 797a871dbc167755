import { signal } from '@preact/signals';
import type { AppProfile } from '../../contract/operations/app/operation.ts';
import type { DeveloperProfile } from '../../contract/operations/app-developer/operation.ts';
import type { AppReviewPage } from '../../contract/operations/app-reviews/operation.ts';
import type { Pagination } from '../../contract/operations/appmarket.ts';
import { place, setQuery } from '../app/place.ts';
import { Check } from '../parts/controls.tsx';
import { Facts, Meter, NotStatedLine, OutLink, Picture, Pill } from '../parts/display.tsx';
import { day, number, plural } from '../parts/format.ts';
import { Stats } from '../parts/stats.tsx';
import type { Next } from '../workbench/lookup-rows.tsx';
import { BulkChip, NextLink, NextLookups } from '../workbench/lookups.tsx';
import { AnswerGrid } from './answer-grid.tsx';
import { Head, stars, stated, TwoColumns } from './shared.tsx';

export function AppProfileView({ resource }: { resource: AppProfile }) {
  const { developer, handle, categories, pricings, rating, reviewCount: count, launchedDate: launched } = resource;
  const developerHandle = /\/partners\/([\w-]+)/.exec(developer.url ?? '')?.[1];
  const figures = Object.entries({ Rating: stated(rating, stars), Reviews: stated(count, number), Launched: stated(launched, day) });
  const next: readonly Next[] = [
    ['app-reviews', { handle }, 'Its reviews'],
    ...(developerHandle ? [['app-developer', { handle: developerHandle }, developer.name ?? developerHandle] as const] : []),
    ...categories.flatMap((c): Next[] => (c.handle === null ? [] : [['appstore-category', { handle: c.handle }, c.name ?? c.handle]])),
  ];
  return (
    <TwoColumns
      about="About the app"
      aside={
        <>
          <Facts
            facts={{
              Languages: resource.languages,
              Categories: categories.map((c) => [c.name, c.handle].filter(Boolean).join(' · ')),
              'Works with': resource.worksWith,
              Address: developer.address,
              Marketplace: developer.url && <OutLink href={developer.url} />,
              'Own site': developer.website && <OutLink href={developer.website} />,
              'Plan periods': pricings.some((p) => p.period === null) ? null : 'all stated',
            }}
          />
          <NextLookups lookups={next} />
        </>
      }
    >
      <Head picture={resource.logo} what="Logo">
        <h2>{stated(resource.name)}</h2>
        <p class="about">
          <code>{handle}</code> · by {stated(developer.name)}
        </p>
        {resource.builtForPlatform === 'TRUE' && <Pill tone="good" text="Built for the platform" />}
        {resource.builtForPlatform === 'FALSE' && <span class="about">Not marked as built for the platform</span>}
      </Head>
      <Stats stats={figures} />
      {resource.description !== null && <p class="text">{resource.description}</p>}
      <h2>
        Plans <span class="about">{resource.pricing ?? plural(pricings.length, 'plan')}</span>
      </h2>
      <ul class="plans">
        {pricings.map((plan, index) => (
          <li key={`${index}${plan.name}`} class="card">
            <h3>{stated(plan.name)}</h3>
            <p>
              <strong>{stated(plan.price)}</strong> {plan.period !== null && <span class="about">per {plan.period}</span>}
            </p>
            {plan.description !== null && <p class="about">{plan.description}</p>}
            <ul>
              {plan.features.map((feature, nth) => (
                <li key={`${nth}${feature}`}>{feature}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </TwoColumns>
  );
}

/** Whether pictures of upstreams are loaded without a click each; as long as the page lives. */
const showsPictures = signal(false);

export const DeveloperProfileView = ({ resource: { name, apps } }: { resource: DeveloperProfile }) => (
  <article class="stack">
    <h2>
      {stated(name)} <span class="about">{plural(apps.length, 'app')}</span>
    </h2>
    <AnswerGrid
      caption={`Apps of ${name ?? 'the developer'}`}
      rows={apps}
      keyOf={(app) => apps.indexOf(app)}
      none="No apps."
      columns={[
        {
          id: 'app',
          name: 'App',
          value: (a) => a.name,
          of: (a) => (
            <div class="with-picture">
              {showsPictures.value && <Picture src={a.iconUrl} what={`Icon of ${a.name ?? 'the app'}`} isAsked />}
              <div>
                <OutLink href={a.url}>{stated(a.name)}</OutLink> <code class="about">{stated(a.handle)}</code>
                {a.description !== null && <p class="cell about">{a.description}</p>}
              </div>
            </div>
          ),
        },
        { id: 'pricing', name: 'Pricing', value: (a) => a.pricing },
        { id: 'rating', name: 'Rating', as: 'number', value: (a) => a.rating, of: (a) => stated(a.rating, stars) },
        { id: 'reviews', name: 'Reviews', as: 'number', value: (a) => a.reviewCount },
      ]}
      actions={(a) => a.handle !== null && <NextLink id="app" values={{ handle: a.handle }} />}
    >
      <BulkChip id="app" parameter="handle" values={apps.map((a) => a.handle)} />
      <Check text="Show pictures" isOn={showsPictures.value} set={(isOn) => (showsPictures.value = isOn)} />
    </AnswerGrid>
    <NotStatedLine names={apps.some((a) => a.description === null) ? ['Some taglines'] : []} />
  </article>
);

export const PageOf = ({ pagination: { currentPage, totalPages } }: { pagination: Pagination }) => (
  <>
    page {stated(currentPage, number)} of {stated(totalPages, number)}
  </>
);

const Stars = ({ rating }: { rating: number }) => (
  <span class="stars" role="img" aria-label={plural(rating, 'star')}>
    {[1, 2, 3, 4, 5].map((star) => (star <= rating ? '★' : '☆')).join('')}
  </span>
);

function Distribution({ resource: { summary }, chosen }: { resource: AppReviewPage; chosen: string }) {
  const most = Math.max(1, ...summary.map((s) => s.count ?? 0));
  return (
    <ul class="distribution" aria-label="Reviews by stars">
      {summary.map(({ label, count }, index) => (
        <li key={`${index}${label}`}>
          <button type="button" aria-pressed={chosen === label} onClick={() => setQuery({ _stars: chosen === label ? null : label })}>
            <span>{stated(label)}</span>
            <Meter share={(count ?? 0) / most} />
            <span>{stated(count, number)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const LACKING = { reviewerLocation: 'places', reviewerLatestUsedDate: 'times of use', reviewId: 'ids', appName: 'app names' } as const;

const reviewRow = (r: AppReviewPage['reviews'][number], index: number) => (
  <li key={r.reviewId ?? index}>
    <div class="grow">
      <p>
        {r.rating === null ? stated(r.rating) : <Stars rating={r.rating} />} <strong>{stated(r.reviewer)}</strong>{' '}
        <span class="about">
          {[r.reviewCreatedDate && day(r.reviewCreatedDate), r.reviewerLocation, r.reviewerLatestUsedDate].filter(Boolean).join(' · ')}
        </span>
      </p>
      <p class="text">{r.reviewContent === '' ? <span class="about">stars alone</span> : stated(r.reviewContent)}</p>
      <p class="about">
        <OutLink href={r.appUrl}>{r.appName}</OutLink> {r.reviewId !== null && <code>{r.reviewId}</code>}
      </p>
    </div>
  </li>
);

export function AppReviewPageView({ resource }: { resource: AppReviewPage }) {
  const { reviews } = resource;
  const chosen = place.value.query.get('_stars') ?? '';
  const matching = reviews.filter((r) => chosen === '' || r.rating === Number.parseInt(chosen, 10));
  const handle = reviews.map((r) => /\/([\w-]+)\/?$/.exec(r.appUrl ?? '')?.[1]).find(Boolean);
  const lacking = Object.entries(LACKING).filter(([field]) => reviews.some((r) => r[field as keyof typeof LACKING] === null));
  return (
    <TwoColumns
      about="About the reviews"
      aside={
        <>
          {resource.summary.length > 0 && <h2>Reviews by stars</h2>}
          {resource.summary.length > 0 && <Distribution resource={resource} chosen={chosen} />}
          {handle && <NextLookups lookups={[['app', { handle }, `The app ${handle}`]]} />}
          <NotStatedLine names={lacking.map(([, name]) => `some ${name}`)} />
        </>
      }
    >
      <p class="about">
        {plural(matching.length, 'review')}
        {chosen !== '' && ` of ${reviews.length} on this page`} · <PageOf pagination={resource.pagination} />
      </p>
      <ul class="rows reviews">{matching.map(reviewRow)}</ul>
      {matching.length === 0 && <p class="none">No reviews {chosen && `with ${chosen} `}on this page.</p>}
    </TwoColumns>
  );
}
