import type { ComponentChildren } from 'preact';

export const NotStated = () => (
  <span class="unstated" title="not stated by the source">
    –<span class="visually-hidden"> not stated by the source</span>
  </span>
);

export type Fact = readonly [name: string, value: ComponentChildren | null];

/** What is null, in one line; nothing where nothing is. */
export const NotStatedLine = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? null : <p class="about">{names.join(', ')}: not stated by the source.</p>;

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <NotStatedLine names={facts.flatMap(([name, value]) => (value === null ? [name] : []))} />
    </>
  );
}

export const yesNo = (value: boolean | null): string | null => (value === null ? null : value ? 'yes' : 'no');

export const Tags = ({ tags, none = 'none' }: { tags: readonly string[]; none?: string }) =>
  tags.length === 0 ? (
    <span class="unstated">{none}</span>
  ) : (
    <ul class="tags">
      {tags.map((tag, at) => (
        <li key={`${at}${tag}`}>{tag}</li>
      ))}
    </ul>
  );
