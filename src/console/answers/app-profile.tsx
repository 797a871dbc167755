import type { AppProfile, DeveloperProfile } from '../../contract/operations/appmarket.ts';
import { Pill, Stats } from '../parts/card.tsx';
import { day, number, plural } from '../parts/format.ts';
import { OutLink, Picture } from '../parts/links.tsx';
import { Facts, NotStatedLine } from '../parts/stated.tsx';
import { DataTable } from '../parts/table.tsx';
import { BulkChip, type Next, NextLink, NextLookups } from '../workbench/next-links.tsx';
import { Head, stars, stated, TwoColumns, tags } from './shared.tsx';

export function AppProfileView({ resource }: { resource: AppProfile }) {
  const { developer, handle, categories, pricings } = resource;
  const developerHandle = /\/partners\/([\w-]+)/.exec(developer.url ?? '')?.[1];
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
            facts={[
              ['Languages', tags(resource.languages)],
              ['Categories', tags(categories.map((c) => [c.name, c.handle].filter(Boolean).join(' · ')))],
              ['Works with', tags(resource.worksWith)],
              ['Address', developer.address],
              ['Marketplace', developer.url && <OutLink href={developer.url} />],
              ['Own site', developer.website && <OutLink href={developer.website} />],
              ['Plan periods', pricings.some((p) => p.period === null) ? null : 'all stated'],
            ]}
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
      <Stats
        stats={[
          ['Rating', stated(resource.rating, stars)],
          ['Reviews', stated(resource.reviewCount, number)],
          ['Launched', stated(resource.launchedDate, day)],
        ]}
      />
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

export const DeveloperProfileView = ({ resource: { name, apps } }: { resource: DeveloperProfile }) => (
  <article class="stack">
    <div class="toolbar">
      <h2>{stated(name)}</h2>
      <p class="about">{plural(apps.length, 'app')}</p>
      <BulkChip id="app" parameter="handle" values={apps.map((a) => a.handle)} />
    </div>
    <DataTable
      caption={`Apps of ${name ?? 'the developer'}`}
      rows={apps}
      keyOf={(a, index) => a.handle ?? index}
      columns={[
        {
          name: 'App',
          of: (a) => (
            <>
              <OutLink href={a.url}>{stated(a.name)}</OutLink> <code class="about">{stated(a.handle)}</code>
              {a.description !== null && <span class="cell about">{a.description}</span>}
            </>
          ),
        },
        { name: 'Pricing', wide: true, of: (a) => stated(a.pricing) },
        { name: 'Rating', numeric: true, of: (a) => stated(a.rating, stars) },
        { name: 'Reviews', numeric: true, of: (a) => stated(a.reviewCount, number) },
        { name: 'Icon', wide: true, of: (a) => <Picture src={a.iconUrl} what="Icon" /> },
        { name: 'Look up', of: (a) => a.handle !== null && <NextLink id="app" values={{ handle: a.handle }} /> },
      ]}
    />
    <NotStatedLine names={apps.some((a) => a.description === null) ? ['Some taglines'] : []} />
  </article>
);
