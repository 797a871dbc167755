import { readTable } from '../../../runtime/table.ts';

/** The forms of forms.tsv, by suffix. */
const FORMS = Map.groupBy(readTable(new URL('./forms.tsv', import.meta.url)), ([suffix = '']) => suffix);
const SUFFIXES = [...FORMS.keys()];

/** The lines of an answer with those of its registry's own form as "label: value". `asked`: the queried domain. */
export function inCommonForm(lines: readonly string[], asked: string): readonly string[] {
  const suffix = SUFFIXES.find((one) => asked.endsWith(`.${one}`));
  if (suffix === undefined) return lines;
  const label = asked.slice(0, -suffix.length - 1).replaceAll('.', '\\.');
  const forms = (FORMS.get(suffix) ?? []).map(([, pattern = '', form = '']) => ({
    pattern: new RegExp(pattern.replace('{label}', label), 'i'),
    form,
  }));
  return lines.map((line) =>
    line.length > MAX_FORM ? line : forms.reduce((text, { pattern, form }) => text.replace(pattern, form), line),
  );
}
/** A longer line is prose. */
const MAX_FORM = 300;

/** "SHOP.TK is Active" */
export const NAME_IS_STATE = /^(\S+) is (\p{L}{3,20})$/u;
