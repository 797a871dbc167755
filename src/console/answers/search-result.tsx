import type { OrganicEntry, PaidEntry, SearchResult } from '../../contract/operations/searchengine.ts';
import { country, moment, number, plural, words } from '../parts/format.ts';
import { OutLink } from '../parts/links.tsx';
import { Facts, NotStated, Stated, Tags } from '../parts/stated.tsx';

const Rating = ({ rating }: { rating: NonNullable<OrganicEntry['rating']> }) => (
  <p class="rating">
    ★ {rating.value} of {rating.max}
    {' · '}
    {rating.votesCount === null ? 'votes not stated by the source' : plural(rating.votesCount, 'vote')}
  </p>
);

/** Title, address and text of a result or an ad. */
const Listing = ({ entry }: { entry: OrganicEntry | PaidEntry }) => (
  <>
    <h4>
      <OutLink href={entry.url}>{entry.title}</OutLink>
    </h4>
    <p class="address">{entry.url}</p>
    <p class="snippet">
      <Stated value={entry.description} />
    </p>
  </>
);

function Organic({ entry }: { entry: OrganicEntry }) {
  return (
    <li class={entry.isFeaturedSnippet ? 'result featured' : 'result'}>
      <p class="rank" title={`Place ${entry.absoluteRank} among all elements of the page`}>
        <strong>{entry.rank}</strong>
        <small>#{entry.absoluteRank}</small>
      </p>
      <div>
        {entry.isFeaturedSnippet && <p class="label">Featured snippet</p>}
        <p class="site">
          <span class="site-name">{entry.websiteName ?? entry.domain}</span>
          <span class="breadcrumb">
            <Stated value={entry.breadcrumb} />
          </span>
        </p>
        <Listing entry={entry} />
        {entry.rating ? (
          <Rating rating={entry.rating} />
        ) : (
          <p class="small">
            Rating: <NotStated />
          </p>
        )}
      </div>
    </li>
  );
}

function Paid({ entry }: { entry: PaidEntry }) {
  return (
    <li class="result ad">
      <p class="rank">
        <strong>{entry.rank}</strong>
        <small>Ad</small>
      </p>
      <div>
        <p class="site">
          <span class="label">Sponsored</span> <span class="breadcrumb">{entry.domain}</span>
        </p>
        <Listing entry={entry} />
        <p class="small">
          Advertiser: <Stated value={entry.advertiserId} />
        </p>
      </div>
    </li>
  );
}

function Overview({ overview }: { overview: NonNullable<SearchResult['aiOverview']> }) {
  return (
    <section class="overview">
      <h3>AI overview</h3>
      <p class="text">{overview.text}</p>
      <h4>References</h4>
      <ol>
        {overview.references.map((r) => (
          <li key={r.url}>
            <OutLink href={r.url}>{r.title}</OutLink> <span class="small">{r.domain}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A result page: overview, ads, organic entries with their ranks, related searches. */
export function SearchResultView({ resource }: { resource: SearchResult }) {
  return (
    <article class="results">
      <header>
        <p class="searchbox">{resource.keyword}</p>
        <p class="small">
          {resource.totalResults === null ? (
            <>
              Number of results: <NotStated />
            </>
          ) : (
            `About ${plural(resource.totalResults, 'result')}`
          )}
          {' · '}
          {resource.searchEngine} · {country(resource.location)} ({resource.location}) · {resource.language} · {resource.device} · seen{' '}
          {moment(resource.checkedAt)}
        </p>
        <Facts facts={[['On this page', <Tags key="features" tags={resource.features.map(words)} none="no sections" />]]} />
      </header>
      {resource.aiOverview ? (
        <Overview overview={resource.aiOverview} />
      ) : (
        <p class="small">
          AI overview: <NotStated />
        </p>
      )}
      {resource.paid.length > 0 && (
        <section>
          <h3>Ads ({number(resource.paid.length)})</h3>
          <ol class="entries">
            {resource.paid.map((entry) => (
              <Paid key={entry.rank} entry={entry} />
            ))}
          </ol>
        </section>
      )}
      <section>
        <h3>Organic ({number(resource.organic.length)})</h3>
        {resource.organic.length === 0 && <p class="none">No organic entries.</p>}
        <ol class="entries">
          {resource.organic.map((entry) => (
            <Organic key={`${entry.rank}-${entry.absoluteRank}`} entry={entry} />
          ))}
        </ol>
      </section>
      <section>
        <h3>Related searches</h3>
        <Tags tags={resource.relatedSearches} />
      </section>
    </article>
  );
}
