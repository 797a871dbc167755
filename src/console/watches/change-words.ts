import { STOPPED_BECAUSE } from '../../contract/account/constants.ts';
import type { WatchChange } from '../../contract/account/watch-schemas.ts';
import { wasOver } from '../../contract/due-date.ts';
import { fieldInWords } from '../../contract/in-words.ts';
import { capital, plural } from '../parts/format.ts';
import { isRank } from './moves.ts';

export const fieldName = (field: string): string => capital(fieldInWords(field));

/** Why nothing is found, or nobody is told, any more. */
function failureOf({ field, key, after }: Pick<Named, 'field' | 'key' | 'after'>): string {
  if (field !== '') return `${field === 'webhook' ? 'The webhook' : 'A target of messages'} is switched off: ${key}`;
  const why = Object.entries(STOPPED_BECAUSE).find(([reason]) => reason === after)?.[1];
  return why ? `It is not checked any more: ${why}` : 'Three checks in a row had no answer';
}

/** Which entry changed, or the thing that `name` stands for; of a notice its sentence. */
export function subjectOf(change: Named, name: string): string {
  const { kind, key } = change;
  if (kind !== 'failing' && key !== null) return key.replace(/^https?:\/\/(www\.)?/, '');
  return kind === 'changed' || kind === 'due' ? name : sentenceOf(change);
}

/** Which field changed, or what became of the entry; null: its subject says it. */
export function fieldOf(change: Named): string | null {
  const { kind, field, key, after } = change;
  const name = fieldName(field);
  if (kind === 'due') return `${name}, ${leftOf(change)}`;
  if (kind === 'changed' && field.endsWith('?')) return `${name} ${after ? 'appeared' : 'disappeared'}`;
  if (kind === 'moved' || (kind === 'changed' && isRank(field))) return 'Place';
  if (kind === 'changed') return name;
  if (key === null || kind === 'failing') return null;
  return kind === 'added' ? `new in ${name.toLowerCase()}` : `no longer in ${name.toLowerCase()}`;
}

/** Of a date: what was left when it was told. */
const leftOf = ({ after, at = '', daysLeft }: Named): string =>
  daysLeft ? `${plural(daysLeft, 'day')} left` : wasOver(after, Date.parse(at)) ? 'over, and still registered' : 'today';

type Named = Pick<WatchChange, 'kind' | 'field' | 'key'> & Partial<WatchChange>;
export function sentenceOf(change: Named): string {
  const { kind, field, key, before, after } = change;
  const what = fieldName(field);
  const sentences: Readonly<Record<WatchChange['kind'], string>> = {
    added: key === null ? 'It is there again' : `New in ${what.toLowerCase()}`,
    removed: `No longer in ${what.toLowerCase()}`,
    changed: field.endsWith('?') ? `${what} ${after ? 'appeared' : 'disappeared'}` : `${what} changed${key === null ? '' : `: ${key}`}`,
    moved: `Moved${Number(after) < Number(before) ? ' up' : Number(after) > Number(before) ? ' down' : ''}: ${key}`,
    gone: 'It is not there any more',
    free: 'The name is not registered any more',
    due: `${what}: ${leftOf(change)}`,
    failing: failureOf({ field, key, after }),
    recovered: 'Checks have answers again',
  };
  return sentences[kind];
}
