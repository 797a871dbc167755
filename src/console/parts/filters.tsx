import { place, setQuery } from '../app/place.ts';
import { Button, Chip, Choices } from './controls.tsx';
import { capital } from './format.ts';
import { Icon } from './icons.tsx';

export interface Filter {
  /** Parameter of the address; the console's own begin with `_`. */
  readonly id: string;
  readonly name: string;
  /** Values with their words; without them any text. */
  readonly choices?: readonly (readonly [value: string, words: string])[];
}

export const filterOf = (id: string): string => place.value.query.get(id) ?? '';

/** Another filter is another list: it begins with its first page, as an entry of the history. */
export const setFilters = (changes: Readonly<Record<string, string>>): void =>
  setQuery({ _after: '', _page: '', ...changes }, { isEntry: true });

const DAY_MS = 86_400_000;
/** The UTC day so many days before today. */
export const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const RANGES = {
  ...{ today: ['Today', 0], '7d': ['7 d', 6], '30d': ['30 d', 29], '90d': ['90 d', 89], '1y': ['1 y', 365] },
  all: ['All', null],
} as const satisfies Readonly<Record<string, readonly [words: string, days: number | null]>>;
export type RangeName = keyof typeof RANGES;

/** Nothing is older. A field of a date holds the year 0002 while 2026 is typed. */
const FIRST_DAY = '2000-01-01';
/** A day of the address; empty where it has none, or one that no list reaches. */
function dayOf(id: '_from' | '_to'): string {
  const text = filterOf(id);
  return /^\d{4}-\d\d-\d\d$/.test(text) && text >= FIRST_DAY && text <= dayBefore(0) && !Number.isNaN(Date.parse(text)) ? text : '';
}

/** `from`: empty where there is no first day. */
export function rangeOf(usual: RangeName): { readonly name: RangeName | 'dates'; readonly from: string; readonly to: string } {
  const [from, to] = [dayOf('_from'), dayOf('_to')];
  if (from || to) return { name: 'dates', from: from || to, to: to || dayBefore(0) };
  const asked = filterOf('_range');
  const name = Object.hasOwn(RANGES, asked) ? (asked as RangeName) : usual;
  const days = RANGES[name][1];
  return { name, from: days === null ? '' : dayBefore(days), to: dayBefore(0) };
}

export function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let dayMs = Date.parse(from); dayMs <= Date.parse(to); dayMs += DAY_MS) days.push(new Date(dayMs).toISOString().slice(0, 10));
  return days;
}

export function Ranges({ names, usual }: { names: readonly RangeName[]; usual: RangeName }) {
  const { name, from, to } = rangeOf(usual);
  const choices = [...names.map((id) => [id, RANGES[id][0]] as const), ['dates', 'Dates'] as const];
  const choose = (id: RangeName | 'dates'): void =>
    setFilters(
      id === 'dates'
        ? { _range: '', _from: from || dayBefore(RANGES['30d'][1]), _to: to }
        : { _range: id === usual ? '' : id, _from: '', _to: '' },
    );
  return (
    <>
      <Choices legend="Days" choices={choices} value={name} choose={choose} />
      {name === 'dates' &&
        Object.entries({ _from: from, _to: to }).map(([id, value]) => (
          <label key={id}>
            {capital(id.slice(1))}
            <input
              {...{ type: 'date', value, min: FIRST_DAY, max: dayBefore(0) }}
              onChange={({ currentTarget: day }) => day.validity.valid && setFilters({ _from: from, _to: to, [id]: day.value })}
            />
          </label>
        ))}
    </>
  );
}

/** A filter with all of its choices beside each other. `value`: what is chosen, where the address does not say it. */
export const ChoiceFilter = ({ id, name, choices, value = filterOf(id) }: Required<Filter> & { readonly value?: string }) => (
  <Choices legend={name} choices={choices} value={value} choose={(chosen) => setFilters({ [id]: chosen })} />
);

type TextFilterProps = Readonly<Record<'label' | 'value', string>> & { readonly set: (text: string) => void; readonly button?: boolean };
function TextFilter({ label, value, set, button = false }: TextFilterProps) {
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }): void => {
    event.preventDefault();
    set(String(new FormData(event.currentTarget).get('q') ?? '').trim());
  };
  return (
    <form class="search" onSubmit={submit}>
      <Icon name="search" />
      <input key={value} name="q" type="search" aria-label={label} placeholder={label} defaultValue={value} />
      {button && <button type="submit">Filter</button>}
    </form>
  );
}

function Field({ filter: { id, name, choices }, close }: { filter: Filter; close?: () => void }) {
  const value = filterOf(id);
  const set = (chosen: string): void => {
    setFilters({ [id]: chosen });
    close?.();
  };
  if (choices) return <Choices isList legend={name} choices={[['', 'any'], ...choices]} value={value} choose={set} />;
  return (
    <div class="field">
      <span class="caption">{name}</span>
      <TextFilter label={name} value={value} set={set} button />
    </div>
  );
}

/** The filters of a list, in its address: one chip each; on a phone all behind one. `_key` is a text filter with the name "Key". */
export function Filters({ filters: given }: { filters: readonly (Filter | `_${string}`)[] }) {
  const filters = given.map((each): Filter => (typeof each === 'string' ? { id: each, name: capital(each.slice(1)) } : each));
  const set = filters.filter(({ id }) => filterOf(id) !== '');
  const clear = (): void => setFilters(Object.fromEntries(set.map(({ id }) => [id, ''])));
  const wordsOf = ({ id, choices }: Filter): string => choices?.find(([value]) => value === filterOf(id))?.[1] ?? (filterOf(id) || 'any');
  return (
    <>
      {filters.map((filter) => (
        <span key={filter.id} class="wide-only">
          <Chip name={filter.name} value={wordsOf(filter)} changed={set.includes(filter)}>
            {(close) => <Field filter={filter} close={close} />}
          </Chip>
        </span>
      ))}
      <span class="phone-only">
        <Chip label="Filters" value={set.length ? `Filter · ${set.length}` : 'Filter'} changed={set.length > 0}>
          {() => filters.map((filter) => <Field key={filter.id} filter={filter} />)}
        </Chip>
      </span>
      {set.length > 0 && <Button icon="close" text="Clear" class="quiet" onClick={clear} />}
    </>
  );
}

export const Search = ({ id, label }: { id: string; label: string }) => (
  <search>
    <TextFilter label={label} value={filterOf(id)} set={(text) => setFilters({ [id]: text })} />
  </search>
);
