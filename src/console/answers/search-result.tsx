import type { OrganicEntry, PaidEntry, SearchResult } from '../../contract/operations/serp/operation.ts';
import { setQuery } from '../app/place.ts';
import { Button } from '../parts/controls.tsx';
import { Ago, Card, NotStatedLine, OutLink, Pill, Tags } from '../parts/display.tsx';
import { Domain } from '../parts/domain.tsx';
import { country, nameOfCode, number, plural, VALUES, words } from '../parts/format.ts';
import { Readable } from '../parts/readable.tsx';
import { NextLink, NextLookups } from '../workbench/lookups.tsx';
import { FindInput, nullsIn, soughtHere, TwoColumns } from './shared.tsx';

const MOST_PLACES = 120;

const isSought = ({ domain }: OrganicEntry, sought: string): boolean =>
  sought !== '' && (domain === sought || domain.endsWith(`.${sought}`));

/** The result page from top to bottom; only places that the answer states have numbers. Nothing where places are no more than the ranks. */
function Places({ organic, sought }: { organic: readonly OrganicEntry[]; sought: string }) {
  const last = Math.max(0, ...organic.map((e) => e.absoluteRank));
  if (last <= organic.length || last > MOST_PLACES) return null;
  const marked = organic.filter((e) => isSought(e, sought));
  return (
    <figure class="places">
      <ol aria-label="Places on the result page">
        {Array.from({ length: last }, (_, index) => {
          const entry = organic.find((e) => e.absoluteRank === index + 1);
          return (
            <li
              key={`${index + 1}`}
              class={entry && (marked.includes(entry) ? 'marked' : 'organic')}
              title={entry && `${entry.rank}: ${entry.title}`}
            >
              {entry && <span>{entry.rank}</span>}
            </li>
          );
        })}
      </ol>
      <figcaption class="about">
        {sought && `${sought}: ${marked.length ? marked.map((e) => e.rank).join(' and ') : 'not among these'} · `}
        {last - organic.length} places of ads and other blocks have no number
      </figcaption>
    </figure>
  );
}

const ratingInWords = ({ value, max, votesCount }: NonNullable<OrganicEntry['rating']>): string =>
  `★ ${value} of ${max}${votesCount === null ? '' : ` · ${plural(votesCount, 'vote')}`}`;

/** The breadcrumb without the site, which stands above it; null: it says no more than the site. */
const pathOf = (breadcrumb: string | null): string | null => breadcrumb?.replace(/^(?:https?:\/\/)?[^\s›/]+\s*›?\s*/, '') || null;

const Organic = ({ entry, sought }: { entry: OrganicEntry; sought: string }) => {
  const { rank, absoluteRank, url, title, description, domain, rating, breadcrumb, websiteName } = entry;
  return (
    <li class={isSought(entry, sought) ? 'result marked' : 'result'}>
      <p class="rank" title={`Place ${absoluteRank} among all elements of the page`}>
        <strong>{rank}</strong>
        <small>#{absoluteRank}</small>
      </p>
      <div class="grow">
        <h3>
          <OutLink href={url}>{title}</OutLink> {entry.isFeaturedSnippet && <Pill tone="busy" icon="star" text="Featured snippet" />}
        </h3>
        {description !== null && <p class="snippet">{description}</p>}
      </div>
      <div class="site">
        <p>
          <Domain name={domain} />
        </p>
        <p class="about">{rating ? <span class="rating">{ratingInWords(rating)}</span> : (pathOf(breadcrumb) ?? websiteName)}</p>
      </div>
      <details class="more">
        <summary>More</summary>
        <p class="about">{[url, websiteName, breadcrumb].filter(Boolean).join(' · ')}</p>
        <p class="actions">
          <NextLink id="traffic" values={{ domain }} />
          <NextLink id="registration" values={{ domain }} />
          {!isSought(entry, sought) && (
            <Button class="quiet" text="Mark this site" onClick={() => setQuery({ _find: domain.replace(/^www\./, '') })} />
          )}
        </p>
      </details>
    </li>
  );
};

const Paid = ({ entry }: { entry: PaidEntry }) => (
  <li>
    <strong>{entry.rank}</strong>
    <div class="grow">
      <OutLink href={entry.url}>{entry.title}</OutLink>
      <p class="about">
        <Domain name={entry.domain} />
      </p>
      {entry.description !== null && <p class="about">{entry.description}</p>}
      <p class="about address">
        <Readable text={entry.url} /> {entry.advertiserId !== null && `· advertiser ${entry.advertiserId}`}
      </p>
    </div>
  </li>
);

function Beside({ resource: { aiOverview, organic, paid, features, relatedSearches, totalResults } }: { resource: SearchResult }) {
  return (
    <>
      {aiOverview && (
        <Card title="AI overview" inset aside={<span class="about">{plural(aiOverview.references.length, 'reference')}</span>}>
          <div class="overview">
            {aiOverview.text.split(/\n+/).map((line, index) => (
              <p key={`${index}${line}`}>{line}</p>
            ))}
          </div>
          <ol class="numbered">
            {aiOverview.references.map((r, index) => (
              <li key={`${index}${r.url}`}>
                <OutLink href={r.url}>{r.title}</OutLink>
                <span class="about">
                  <Domain name={r.domain} />
                </span>
              </li>
            ))}
          </ol>
        </Card>
      )}
      {paid.length > 0 && (
        <section class="stack">
          <h2>
            Ads <span class="about">{number(paid.length)}</span>
          </h2>
          <ol class="rows">
            {paid.map((entry, index) => (
              <Paid key={`${index}${entry.rank}`} entry={entry} />
            ))}
          </ol>
        </section>
      )}
      <h2>On this page</h2>
      <Tags tags={features.map(words)} none="no sections" />
      {relatedSearches.length > 0 ? (
        <NextLookups title="Related searches" lookups={relatedSearches.map((keyword) => ['serp', { keyword }, keyword])} />
      ) : (
        <p class="about">No related searches.</p>
      )}
      <NotStatedLine
        names={nullsIn({
          'AI overview': aiOverview,
          'Number of results': totalResults,
          Ratings: organic.length && organic.every((e) => e.rating === null) ? null : true,
          'Advertiser ids': paid.length && paid.every((e) => e.advertiserId === null) ? null : true,
        })}
      />
    </>
  );
}

export function SearchResultView({ resource }: { resource: SearchResult }) {
  const sought = soughtHere();
  const { organic, totalResults, searchEngine, location, language, device, checkedAt } = resource;
  return (
    <TwoColumns class="results" about="Beside the entries" aside={<Beside resource={resource} />}>
      <div class="toolbar">
        <p class="grow about">
          {totalResults !== null && (
            <>
              <strong>{number(totalResults)}</strong> results stated ·{' '}
            </>
          )}
          {VALUES.get(searchEngine) ?? searchEngine} · {country(location)} · {nameOfCode(language, 'language')} · {device} · seen{' '}
          <Ago at={checkedAt} />
        </p>
        <FindInput label="Find a domain" hint="Find a domain" />
      </div>
      <Places organic={organic} sought={sought} />
      <h2>
        Organic <span class="about">{number(organic.length)}</span>
      </h2>
      {organic.length === 0 && <p class="none">No organic entries.</p>}
      <ol>
        {organic.map((entry) => (
          <Organic key={`${entry.rank}-${entry.absoluteRank}`} entry={entry} sought={sought} />
        ))}
      </ol>
    </TwoColumns>
  );
}
