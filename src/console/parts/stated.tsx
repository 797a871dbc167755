import type { ComponentChildren } from 'preact';

/** What stands for a null of an answer. */
export const NotStated = () => <span class="unstated">not stated by the source</span>;

/** A value of an answer, drawn by `children`; null is said to be not stated. */
export function Stated<T>({ value, children }: { value: T | null; children?: (value: T) => ComponentChildren }) {
  if (value === null) return <NotStated />;
  return <>{children ? children(value) : String(value)}</>;
}

export type Fact = readonly [name: string, value: ComponentChildren | null];

/** Names and values. A null is said to be not stated by the source. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null ? <NotStated /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Numbers in a row, each with its name below. */
export function Metrics({ metrics }: { metrics: readonly Fact[] }) {
  return (
    <dl class="metrics">
      {metrics.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null ? <NotStated /> : value}</dd>
        </div>
      ))}
    </dl>
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
