import type { ComponentChildren } from 'preact';
import { place, setQuery } from '../app/place.ts';
import { SearchInput } from '../parts/controls.tsx';
import { NotStated, Picture } from '../parts/display.tsx';
import { NextLookups } from '../workbench/lookups.tsx';

/** `resource` is of the schema that the operation names: the service has checked it. */
export interface DrawnProps<T> {
  readonly resource: T;
  /** The answer to the same request before this one. */
  readonly before: T | null;
}
export const stated = <T extends string | number | boolean>(
  value: T | null | undefined,
  draw: (value: T) => string = String,
): ComponentChildren => (value === null || value === undefined ? <NotStated /> : draw(value));

/** With one decimal, so that ratings below each other are compared at a glance. */
export const stars = (rating: string | number): string => `★ ${typeof rating === 'number' ? rating.toFixed(1) : rating}`;

export const worded = <T,>(value: T | null, words: (value: T) => string): string | null => (value === null ? null : words(value));

export const nullsIn = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === null || (Array.isArray(value) && value.length === 0) ? [name] : []));

export const TwoColumns = (props: { class?: string; about: string; aside: ComponentChildren; children: ComponentChildren }) => (
  <article class={`${props.class ?? ''} columns`}>
    <div class="stack">{props.children}</div>
    <aside class="stack" aria-label={props.about}>
      {props.aside}
    </aside>
  </article>
);

export const Head = ({ picture, what, children }: { picture: string | null; what: string; children: ComponentChildren }) => (
  <header class="author">
    <Picture src={picture} what={what} />
    <div>{children}</div>
  </header>
);

export const soughtHere = (): string => (place.value.query.get('_find') ?? '').trim().toLowerCase();

export const FindInput = (names: { label: string; hint: string }) => (
  <SearchInput {...names} value={place.value.query.get('_find') ?? ''} set={(_find) => setQuery({ _find })} />
);

/** The other lookup of a domain, and the search for its name. */
export function OfDomain({ domain, other }: { domain: string; other: 'traffic' | 'registration' }) {
  const [keyword = domain] = domain.split('.');
  return (
    <NextLookups
      lookups={[
        [other, { domain }],
        ['serp', { keyword }, `Search for “${keyword}”`],
      ]}
    />
  );
}
