import type { ComponentChildren } from 'preact';
import { go, place } from '../app/place.ts';
import { Choices } from './card.tsx';
import { Chip } from './chip.tsx';
import { Button } from './controls.tsx';
import { capital } from './format.ts';
import { Icon } from './icons.tsx';

export interface Filter {
  /** Parameter of the address; the console's own begin with `_`. */
  readonly id: string;
  readonly name: string;
  /** Values with their words; without them any text. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

/** What the address says of a filter; '' where it says nothing. */
export const filterOf = (id: string): string => place.value.query.get(id) ?? '';

/** Another filter is another list: it begins with its first page, as an entry of the history. */
export function setFilters(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(place.value.query);
  for (const name of ['_after', '_page']) query.delete(name);
  for (const [name, value] of Object.entries(changes)) value ? query.set(name, value) : query.delete(name);
  if (query.toString() !== place.value.query.toString()) go(`${location.pathname}?${query}`);
}

const DAY_MS = 86_400_000;
/** The UTC day so many days before today. */
export const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const RANGES = { today: ['Today', 0], '7d': ['7 d', 6], '30d': ['30 d', 29], '90d': ['90 d', 89] } as const;
export type RangeName = keyof typeof RANGES;

export function rangeOf(usual: RangeName): { readonly name: RangeName | 'dates'; readonly from: string; readonly to: string } {
  const [from, to] = [filterOf('_from'), filterOf('_to')];
  if (from || to) return { name: 'dates', from: from || to, to: to || dayBefore(0) };
  const asked = filterOf('_range');
  const name = asked in RANGES ? (asked as RangeName) : usual;
  return { name, from: dayBefore(RANGES[name][1]), to: dayBefore(0) };
}

export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** Ranges as segments, the last one with dates of one's own. */
export function Ranges({ names, usual }: { names: readonly RangeName[]; usual: RangeName }) {
  const { name, from, to } = rangeOf(usual);
  const choices = [...names.map((id) => [id, RANGES[id][0]] as const), ['dates', 'Dates'] as const];
  const choose = (id: RangeName | 'dates'): void =>
    setFilters(id === 'dates' ? { _range: '', _from: from, _to: to } : { _range: id === usual ? '' : id, _from: '', _to: '' });
  return (
    <>
      <Choices legend="Days" choices={choices} value={name} choose={choose} />
      {name === 'dates' &&
        Object.entries({ From: from, To: to }).map(([words, value]) => (
          <label key={words}>
            {words}
            <input
              type="date"
              value={value}
              onChange={(e) => setFilters({ _from: from, _to: to, [`_${words.toLowerCase()}`]: e.currentTarget.value })}
            />
          </label>
        ))}
    </>
  );
}

function TextFilter({ id, label, close, children }: { id: string; label: string; close?: () => void; children?: ComponentChildren }) {
  return (
    <form
      class="search"
      onSubmit={(e) => {
        e.preventDefault();
        setFilters({ [id]: String(new FormData(e.currentTarget).get('q') ?? '').trim() });
        close?.();
      }}
    >
      <Icon name="search" />
      <input key={filterOf(id)} name="q" type="search" aria-label={label} placeholder={label} defaultValue={filterOf(id)} />
      {children}
    </form>
  );
}

function Field({ filter: { id, name, choices }, close }: { filter: Filter; close?: () => void }) {
  const set = (value: string): void => {
    setFilters({ [id]: value });
    close?.();
  };
  if (!choices)
    return (
      <div class="field">
        <span class="caption">{name}</span>
        <TextFilter id={id} label={name} {...(close && { close })}>
          <button type="submit">Filter</button>
        </TextFilter>
      </div>
    );
  return <Choices isList legend={name} choices={[['', 'any'], ...choices]} value={filterOf(id)} choose={set} />;
}

/** The filters of a list, in its address: one chip each; on a phone all behind one. `_key` is a text filter with the name "Key". */
export function Filters({ filters: given }: { filters: readonly (Filter | `_${string}`)[] }) {
  const filters = given.map((each): Filter => (typeof each === 'string' ? { id: each, name: capital(each.slice(1)) } : each));
  const set = filters.filter(({ id }) => filterOf(id) !== '');
  const wordsOf = ({ id, choices }: Filter): string => choices?.find(([value]) => value === filterOf(id))?.[1] ?? (filterOf(id) || 'any');
  return (
    <>
      {filters.map((filter) => (
        <span key={filter.id} class="wide-only">
          <Chip name={filter.name} label={filter.name} value={wordsOf(filter)} changed={set.includes(filter)}>
            {(close) => <Field filter={filter} close={close} />}
          </Chip>
        </span>
      ))}
      <span class="phone-only">
        <Chip label="Filters" value={set.length ? `Filter · ${set.length}` : 'Filter'} changed={set.length > 0}>
          {() => filters.map((filter) => <Field key={filter.id} filter={filter} />)}
        </Chip>
      </span>
      {set.length > 0 && (
        <Button icon="close" text="Clear" class="quiet" onClick={() => setFilters(Object.fromEntries(set.map(({ id }) => [id, ''])))} />
      )}
    </>
  );
}

export const Search = (props: { id: string; label: string }) => (
  <search>
    <TextFilter {...props} />
  </search>
);
