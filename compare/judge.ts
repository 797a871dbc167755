/** One table of rules for every reader: what is right, wrong, missing and invented. */
import type { Row, Stated } from './sets.ts';

/** What a reader made of an answer. `undefined` or null: nothing. Texts as the reader gives them. */
export interface Given {
  /** Null: it does not say. */
  readonly available: boolean | null;
  readonly registrar?: unknown;
  readonly registeredOn?: unknown;
  readonly expiresOn?: unknown;
  readonly updatedOn?: unknown;
  readonly nameServers?: unknown;
  readonly status?: unknown;
  readonly dnssec?: unknown;
}
export const FIELDS = ['registrar', 'registeredOn', 'expiresOn', 'updatedOn', 'nameServers', 'status', 'dnssec'] as const;
export type Field = (typeof FIELDS)[number];
export type Verdict = 'right' | 'wrong' | 'missing' | 'invented';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const utc = (year: string, month: number, day: string): number => Date.UTC(Number(year), month - 1, Number(day));
const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** The days that a date may stand for, epoch ms: texts of registries are read with favour. */
function daysOf(value: unknown): readonly number[] {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? [] : [value.getTime()];
  if (Array.isArray(value)) return daysOf(value[0]);
  const text = String(value ?? '').trim();
  const days: number[] = [];
  const numeric = /^(\d{4})[-./ ]\s?(\d{1,2})[-./ ]\s?(\d{1,2})/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})(?!\d)/.exec(text);
  if (numeric) days.push(utc(numeric[1] ?? '', Number(numeric[2]), numeric[3] ?? ''));
  const named = /(\d{1,2})(?:st|nd|rd|th)?[-. /]([A-Za-z]{3})[a-z]*\.?[-. /,]+(\d{4})/.exec(text);
  if (named && monthOf(named[2] ?? '') > 0) days.push(utc(named[3] ?? '', monthOf(named[2] ?? ''), named[1] ?? ''));
  const american = /([A-Za-z]{3})[a-z]* +(\d{1,2}),? +(?:[\d:]+ )?(?:[A-Z]{2,4} )?(\d{4})/.exec(text);
  if (american && monthOf(american[1] ?? '') > 0) days.push(utc(american[3] ?? '', monthOf(american[1] ?? ''), american[2] ?? ''));
  const dayFirst = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})/.exec(text);
  if (dayFirst)
    days.push(
      utc(dayFirst[3] ?? '', Number(dayFirst[2]), dayFirst[1] ?? ''),
      utc(dayFirst[3] ?? '', Number(dayFirst[1]), dayFirst[2] ?? ''),
    );
  const yearNamed = /^(\d{4})-([A-Za-z]{3})-(\d{1,2})/.exec(text);
  if (yearNamed) days.push(utc(yearNamed[1] ?? '', monthOf(yearNamed[2] ?? ''), yearNamed[3] ?? ''));
  return days;
}
/** A zone that is or is not applied moves a date by a day at most. */
const DAY_MS = 86_400_000;
const isSameDay = (given: unknown, stated: string): boolean => {
  const [wanted = Number.NaN] = daysOf(stated);
  return daysOf(given).some((day) => Math.abs(day - wanted) <= DAY_MS);
};

const word = (text: unknown): string =>
  String(text ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\[tag\s*=[^\]]*\]/g, '')
    .replace(/\(?\s*https?:\/\/\S+?\)?\s*$/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value];
const hosts = (value: unknown): readonly string[] =>
  [
    ...new Set(
      listOf(value).map((one) =>
        (
          String(one)
            .trim()
            .split(/[\s,([]/)[0] ?? ''
        )
          .toLowerCase()
          .replace(/\.+$/, ''),
      ),
    ),
  ]
    .filter(Boolean)
    .sort();
const states = (value: unknown): readonly string[] => {
  const parts = listOf(value).flatMap((one) =>
    String(one)
      .replace(/\(?\s*https?:\/\/\S+/g, '')
      .replace(/\([^)]*\)?/g, '')
      .split(/[,;/|\n]/),
  );
  const plain = parts.map((part) =>
    part
      .replace(/ - .*$| -$/, '')
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}]/gu, ''),
  );
  return [...new Set(plain.filter(Boolean).map((state) => (state === 'active' ? 'ok' : state)))].sort();
};
const signed = (value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value;
  const text = word(listOf(value)[0]);
  if (text === '') return null;
  return !/^(?:no|unsigned|inactive|false|nodelegation|unsigneddelegation)/.test(text);
};
const isEmpty = (field: Field, value: unknown): boolean =>
  field === 'nameServers'
    ? hosts(value).length === 0
    : field === 'status'
      ? states(value).length === 0
      : field === 'dnssec'
        ? signed(value) === null
        : word(value) === '';

function isRight(field: Field, given: unknown, { [field]: stated, statusOptional = [] }: Stated): boolean {
  switch (field) {
    case 'registrar':
      return (stated as readonly string[]).some((name) => word(name) === word(given));
    case 'nameServers':
      return hosts(given).join(' ') === hosts(stated).join(' ');
    case 'status': {
      const [is, wanted, optional] = [states(given), states(stated), states(statusOptional)];
      return wanted.every((state) => is.includes(state)) && is.every((state) => wanted.includes(state) || optional.includes(state));
    }
    case 'dnssec':
      return signed(given) === stated;
    default:
      return isSameDay(given, String(stated));
  }
}

/** Null: the field is not judged, or neither states it. */
export function judgeField(field: Field, given: Given, stated: Stated): Verdict | null {
  const wanted = stated[field];
  if (wanted === undefined) return null;
  const isStated = wanted !== null && !(Array.isArray(wanted) && wanted.length === 0);
  if (!isStated) return isEmpty(field, given[field]) ? null : 'invented';
  if (isEmpty(field, given[field])) return 'missing';
  return isRight(field, given[field], stated) ? 'right' : 'wrong';
}

export interface Judged {
  readonly verdicts: Readonly<Partial<Record<Field, Verdict>>>;
  /** `not said`: the reader does not state whether the name is free. */
  readonly availability: 'right' | 'free that was taken' | 'taken that was free' | 'data from no answer' | 'not said';
  /** Every field that the answer states is right, none is invented, and availability is right. */
  readonly isWhole: boolean;
}
export function judge({ stated }: Row, given: Given | null): Judged {
  const made = given ?? { available: null };
  const verdicts = Object.fromEntries(
    FIELDS.flatMap((field) => {
      const verdict = judgeField(field, made, stated);
      return verdict === null ? [] : [[field, verdict]];
    }),
  ) as Judged['verdicts'];
  const availability = availabilityOf(made.available, stated);
  return { verdicts, availability, isWhole: availability === 'right' && Object.values(verdicts).every((verdict) => verdict === 'right') };
}
function availabilityOf(given: boolean | null, { available, availableAlso = [] }: Stated): Judged['availability'] {
  if (given === available || availableAlso.includes(given)) return 'right';
  if (given === null) return 'not said';
  if (available === null) return 'data from no answer';
  return given ? 'free that was taken' : 'taken that was free';
}
