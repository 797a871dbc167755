import type { SourceState } from '../../contract/admin/schemas.ts';
import { operationName } from '../app/operations.ts';
import { fieldInWords } from '../parts/coverage.tsx';
import { Card } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { DataTable } from '../parts/table.tsx';

interface FieldStated {
  readonly field: string;
  readonly isStated: boolean;
}

const Fields = ({ caption, rows }: { caption: string; rows: readonly FieldStated[] }) => (
  <DataTable
    caption={caption}
    rows={rows}
    columns={[
      { name: 'Field', isHead: true, of: ({ field }) => <span title={field}>{fieldInWords(field)}</span> },
      {
        name: 'Stated',
        of: ({ isStated }) =>
          isStated ? (
            <span class="good-text">
              <Icon name="check" /> yes
            </span>
          ) : (
            'no'
          ),
      },
    ]}
  />
);

/** Each field that the documented example of a provider states, or does not; those of several operations apart. Nothing where they were not compared. */
export function Stated({ operations, offer }: Pick<SourceState, 'operations' | 'offer'>) {
  const fields = offer
    ? [...offer.states.map((field) => [field, true] as const), ...offer.lacks.map((field) => [field, false] as const)]
    : [];
  if (fields.length === 0) return null;
  const groups = Map.groupBy(
    // of several operations a field begins with the one that it belongs to
    fields.map(([text, isStated]) => {
      const [field = '', id = operations[0] ?? ''] = text.split(' ').reverse();
      return { id, field, isStated };
    }),
    ({ id }) => id,
  );
  return (
    <Card title="What it states" aside="read from its documented example answer, kept as a test">
      {[...groups].map(([id, unsorted]) => {
        const rows = unsorted.sort((a, b) => (a.field < b.field ? -1 : 1));
        const caption = `Fields of ${operationName(id)}`;
        if (groups.size === 1) return <Fields key={id} caption={caption} rows={rows} />;
        const stated = rows.filter(({ isStated }) => isStated).length;
        return (
          <details key={id}>
            <summary>
              {operationName(id)}: {number(stated)} of {plural(rows.length, 'field')}
            </summary>
            <Fields caption={caption} rows={rows} />
          </details>
        );
      })}
    </Card>
  );
}
