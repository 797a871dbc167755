import type { AppProfile, DeveloperProfile } from '../../contract/operations/appmarket.ts';
import { day, number, plural } from '../parts/format.ts';
import { OutLink, Picture } from '../parts/links.tsx';
import { Facts, Metrics, NotStated, Stated, Tags } from '../parts/stated.tsx';
import { DataTable } from '../parts/table.tsx';

/** An app with its plans. */
export function AppProfileView({ resource }: { resource: AppProfile }) {
  const { developer } = resource;
  return (
    <article class="card app">
      <header class="author">
        <Picture src={resource.logo} what="Logo" />
        <div>
          <h3>
            <Stated value={resource.name} />
          </h3>
          <p class="small">
            <code>{resource.handle}</code> · by <Stated value={developer.name} />
          </p>
          <p>
            {resource.builtForPlatform === 'TRUE' && <span class="label good">Built for the platform</span>}
            {resource.builtForPlatform === 'FALSE' && <span class="label">Not marked as built for the platform</span>}
          </p>
        </div>
      </header>
      <Metrics
        metrics={[
          ['Rating', resource.rating === null ? null : `★ ${resource.rating}`],
          ['Reviews', resource.reviewCount === null ? null : number(resource.reviewCount)],
          ['Launched', resource.launchedDate && day(resource.launchedDate)],
          ['Pricing', resource.pricing],
        ]}
      />
      <p class="text">
        <Stated value={resource.description} />
      </p>
      <h4>{plural(resource.pricings.length, 'plan')}</h4>
      <ul class="plans">
        {resource.pricings.map((plan, at) => (
          <li key={`${at}${plan.name}`} class="plan">
            <h5>
              <Stated value={plan.name} />
            </h5>
            <p class="price-tag">
              <strong>
                <Stated value={plan.price} />
              </strong>{' '}
              {plan.period !== null && <span class="small">per {plan.period}</span>}
            </p>
            {plan.period === null && (
              <p class="small">
                Period: <NotStated />
              </p>
            )}
            <p class="small">
              <Stated value={plan.description} />
            </p>
            <ul>
              {plan.features.map((f, nth) => (
                <li key={`${nth}${f}`}>{f}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          ['Languages', <Tags key="languages" tags={resource.languages} />],
          [
            'Categories',
            resource.categories.length === 0
              ? 'none'
              : resource.categories.map((c, at) => (
                  <p key={`${at}${c.handle}`}>
                    <OutLink href={c.url}>{c.name ?? <NotStated />}</OutLink> <span class="small">{c.handle}</span>
                  </p>
                )),
          ],
          ['Works with', <Tags key="works" tags={resource.worksWith} />],
          ['Address of the developer', developer.address],
          ['Developer in the marketplace', developer.url && <OutLink href={developer.url} />],
          ["Developer's own site", developer.website && <OutLink href={developer.website} />],
        ]}
      />
    </article>
  );
}

/** A developer and all of their apps. */
export function DeveloperProfileView({ resource }: { resource: DeveloperProfile }) {
  return (
    <article class="card">
      <h3>
        <Stated value={resource.name} />
      </h3>
      <p class="small">{plural(resource.apps.length, 'app')}</p>
      <DataTable
        caption={`Apps of ${resource.name ?? 'the developer'}`}
        rows={resource.apps}
        keyOf={(a, at) => a.handle ?? at}
        columns={[
          {
            name: 'App',
            of: (a) => (
              <>
                <OutLink href={a.url}>{a.name ?? <NotStated />}</OutLink>
                <br />
                <span class="small">
                  <Stated value={a.handle} />
                </span>
              </>
            ),
          },
          { name: 'Tagline', of: (a) => <Stated value={a.description} /> },
          { name: 'Pricing', of: (a) => <Stated value={a.pricing} /> },
          { name: 'Rating', numeric: true, of: (a) => <Stated value={a.rating}>{(r) => `★ ${r}`}</Stated> },
          { name: 'Reviews', numeric: true, of: (a) => <Stated value={a.reviewCount}>{number}</Stated> },
          { name: 'Icon', of: (a) => <Picture src={a.iconUrl} what="Icon" /> },
        ]}
      />
    </article>
  );
}
