import type { Watch } from '../../contract/account/watch-schemas.ts';
import { Domain } from '../parts/domain.tsx';
import { day, moment, shortDay } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import type { Column } from '../parts/table.tsx';
import { fieldName } from './change-words.ts';
import { type DomainRow, daysInWords, statesOf as stated, toldInWords } from './domain-facts.ts';

const statesOf = (watch: Watch): string => stated(watch).join(', ');
const dateTitle = ({ dueDate }: Watch): string | undefined =>
  dueDate
    ? `${moment(dueDate.on)}, read${dueDate.source === null ? '' : ` from ${dueDate.source}`} on ${moment(dueDate.readAt)}`
    : undefined;
const toneOf = ({ days }: DomainRow): string | undefined => (days === null || days > 30 ? undefined : days <= 7 ? 'bad' : 'warn');

export const COLUMNS: readonly Column<DomainRow>[] = [
  { id: 'domain', name: 'Domain', value: (d) => d.name, of: (d) => <Domain name={d.name} /> },
  {
    ...{ id: 'expires', name: 'Expires', value: (d) => d.on },
    of: (d) =>
      d.on && (
        <span title={dateTitle(d.watch)}>
          {day(d.on)}
          {d.before !== null && (
            <>
              <br />
              <span class="caption">{`was ${day(d.before.slice(0, 10))}`}</span>
            </>
          )}
        </span>
      ),
  },
  {
    ...{ id: 'days', name: 'Days', as: 'number', value: (d) => d.days },
    of: (d) => (d.days === null ? null : <span class={toneOf(d)}>{daysInWords(d.days)}</span>),
  },
  { id: 'registrar', name: 'Registrar', value: (d) => d.registrar, of: (d) => d.registrar && <span class="cell">{d.registrar}</span> },
  {
    ...{ id: 'lock', name: 'Transfer lock', value: (d) => d.lock },
    of: ({ lock, watch }) =>
      lock === 'locked' ? (
        <span class="good iconed" title={statesOf(watch)}>
          <Icon name="lock" /> locked
        </span>
      ) : (
        lock && (
          <span class="caption" title={statesOf(watch)}>
            {lock}
          </span>
        )
      ),
  },
  {
    ...{ id: 'servers', name: 'Name servers', value: (d) => d.servers.join(', ') || null },
    of: ({ servers: [first, ...more] }) =>
      first && (
        <span class="domain" title={[first, ...more].join(', ')}>
          {more.length > 0 ? `${first} +${more.length}` : first}
        </span>
      ),
  },
  {
    ...{ id: 'change', name: 'Last change', value: (d) => d.changed?.at ?? null, none: 'none in 30 days' },
    of: (d) => d.changed && `${shortDay(d.changed.at)}: ${(fieldName(d.changed.field) || d.changed.kind).toLowerCase()}`,
  },
  { id: 'told', name: 'Told at', value: (d) => toldInWords(d.told) },
  { id: 'tags', name: 'Tags', value: (d) => d.watch.tags.join(', ') },
  { id: 'read', name: 'Read', as: 'time', value: (d) => d.watch.dueDate?.readAt ?? null, hidden: true },
];
