import type { Rankings } from '../../contract/account/ranking-schemas.ts';

const list = new Intl.ListFormat('en');
const listed = (values: readonly unknown[]): string => list.format(values.map(String));

type Day = Pick<Rankings['visibility'][number], 'day' | 'keywords' | 'sources' | 'depths'>;
/** Days on which the answers are of other sources, or other depths are asked for, than on the answered day before. */
export function marksOf(visibility: readonly Day[]): ReadonlyMap<string, string> {
  const answered = visibility.filter(({ keywords }) => keywords > 0);
  return new Map(
    answered.flatMap(({ day: on, sources, depths }, index) => {
      const before = answered[index - 1];
      if (!before) return [];
      const changed = (what: string, then: readonly unknown[], now: readonly unknown[]): string[] =>
        then.length === 0 || now.length === 0 || then.join() === now.join() ? [] : [`${what}: ${listed(now)}, before it ${listed(then)}.`];
      const words = [...changed('Source', before.sources, sources), ...changed('Results asked for', before.depths, depths)].join(' ');
      return words === '' ? [] : [[on, words] as const];
    }),
  );
}
