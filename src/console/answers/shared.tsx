import type { ComponentChildren } from 'preact';
import { place, setQuery } from '../app/place.ts';
import { SearchInput } from '../parts/controls.tsx';
import { Picture } from '../parts/links.tsx';
import { NotStated, Tags } from '../parts/stated.tsx';

/** `resource` is of the schema that the operation names: the service has checked it. */
export interface DrawnProps<T> {
  readonly resource: T;
  /** The answer to the same request before this one. */
  readonly before: T | null;
}
/** A value as it is drawn, or the placeholder for a null. */
export const stated = <T extends string | number | boolean>(
  value: T | null | undefined,
  draw: (value: T) => string = String,
): ComponentChildren => (value === null || value === undefined ? <NotStated /> : draw(value));

export const stars = (rating: string | number): string => `★ ${rating}`;

export const worded = <T,>(value: T | null, words: (value: T) => string): string | null => (value === null ? null : words(value));

export const nullsIn = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === null || (Array.isArray(value) && value.length === 0) ? [name] : []));

/** A list of words; an empty one is a null. */
export const tags = (texts: readonly string[]) => (texts.length ? <Tags tags={texts} /> : null);

interface ColumnsProps {
  readonly class?: string;
  readonly about: string;
  readonly aside: ComponentChildren;
  readonly children: ComponentChildren;
}
/** An answer in two columns: what it says, and beside it what else is known. */
export const TwoColumns = ({ class: name = '', about, aside, children }: ColumnsProps) => (
  <article class={`${name} columns`}>
    <div class="stack">{children}</div>
    <aside class="stack" aria-label={about}>
      {aside}
    </aside>
  </article>
);

/** A picture, and beside it a name and what belongs to it. */
export const Head = ({ picture, what, children }: { picture: string | null; what: string; children: ComponentChildren }) => (
  <header class="author">
    <Picture src={picture} what={what} />
    <div>{children}</div>
  </header>
);

/** What the address says is sought in the answer, in lower case. */
export const soughtHere = (): string => (place.value.query.get('_find') ?? '').trim().toLowerCase();

export const FindInput = (names: { label: string; hint: string }) => (
  <SearchInput {...names} value={place.value.query.get('_find') ?? ''} set={(_find) => setQuery({ _find })} />
);
