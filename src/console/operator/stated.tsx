import type { ComponentChildren } from 'preact';
import type { SourceState } from '../../contract/admin/schemas.ts';
import { operationName } from '../app/operations.ts';
import { Check, Chip } from '../parts/controls.tsx';
import { fieldInWords } from '../parts/coverage.tsx';
import { Card } from '../parts/display.tsx';
import { filterOf, setFilters } from '../parts/filters.tsx';
import { number, plural } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { DataTable } from '../parts/table.tsx';
import { freeOf, priceOf1000 } from './sources.tsx';

type Fields = ReadonlyMap<string, boolean>;
/** Whether the documented example of a source states a field, by operation. */
function fieldsOf({ operations, offer }: Pick<SourceState, 'operations' | 'offer'>): ReadonlyMap<string, Fields> {
  const stated = [[offer?.states, true] as const, [offer?.lacks, false] as const].flatMap(([fields = [], isStated]) =>
    fields.map((text) => {
      // of several operations a field begins with the one that it belongs to
      const [field = '', id = operations[0] ?? ''] = text.split(' ').reverse();
      return { id, field, isStated };
    }),
  );
  const byOperation = Map.groupBy(stated, ({ id }) => id);
  return new Map([...byOperation].map(([id, all]) => [id, new Map(all.map(({ field, isStated }) => [field, isStated]))]));
}

const Said = ({ isStated }: { isStated: boolean }) =>
  isStated ? (
    <span class="good-text">
      <Icon name="check" /> yes
    </span>
  ) : (
    <>no</>
  );

/** A field a row and a source a column; of several sources what they cost comes first. */
function Comparison({ id, sources }: { id: string; sources: readonly SourceState[] }) {
  const able = sources.flatMap((source) => {
    const fields = fieldsOf(source).get(id);
    return fields ? [{ source, fields }] : [];
  });
  const names = [...new Set(able.flatMap(({ fields }) => [...fields.keys()]))].sort();
  const money = able.length === 1 ? [] : ([['Free', freeOf] as const, ['Price of 1,000', priceOf1000] as const] as const);
  return (
    <DataTable
      caption={`Fields of ${operationName(id)}`}
      class="stacked"
      rows={[
        ...money.map(([head, of]) => ({ head, title: head, cell: ({ source }: (typeof able)[number]) => <>{of(source)}</> })),
        ...names.map((field) => ({
          head: fieldInWords(field),
          title: field,
          // what stands below a list or an object that a provider leaves out is not stated either
          cell: ({ fields }: (typeof able)[number]) => <Said isStated={fields.get(field) === true} />,
        })),
      ]}
      columns={[
        { name: 'Field', isHead: true, of: ({ head, title }) => <span title={title}>{head}</span> },
        ...able.map((one) => ({
          name: able.length === 1 ? 'Stated' : one.source.name,
          of: ({ cell }: { cell: (column: typeof one) => ComponentChildren }) => cell(one),
        })),
      ]}
    />
  );
}

const EVIDENCE = 'Read from its documented example answer, kept as a test.';
const MOST_OTHERS = 3;
/** Chooses the sources beside this one; they stand in the address. */
function Beside({ others, chosen }: { others: readonly SourceState[]; chosen: readonly string[] }) {
  return (
    <Chip value="Compare" label="Compare with">
      {() =>
        others.map(({ name }) => {
          const isOn = chosen.includes(name);
          // a fourth one takes the place of the first
          const next = isOn ? chosen.filter((one) => one !== name) : [...chosen, name].slice(-MOST_OTHERS);
          return <Check key={name} class="option" text={name} isOn={isOn} set={() => setFilters({ _with: next.join(',') })} />;
        })
      }
    </Chip>
  );
}

/** Each field that the documented example of a provider states, or does not, beside up to three others; several operations apart. Nothing where it was not compared. */
export function Stated({ source, all }: { source: SourceState; all: readonly SourceState[] }) {
  const groups = fieldsOf(source);
  if (groups.size === 0) return null;
  const others = all.filter((one) => one.name !== source.name && [...fieldsOf(one).keys()].some((id) => groups.has(id)));
  const chosen = filterOf('_with')
    .split(',')
    .flatMap((name) => others.find((one) => one.name === name) ?? []);
  const sources = [source, ...chosen.slice(0, MOST_OTHERS)];
  return (
    <Card title="What it states" aside={others.length > 0 && <Beside others={others} chosen={chosen.map(({ name }) => name)} />}>
      <p class="caption">{EVIDENCE}</p>
      {[...groups].map(([id, fields]) => {
        if (groups.size === 1) return <Comparison key={id} id={id} sources={sources} />;
        const stated = [...fields.values()].filter(Boolean).length;
        return (
          <details key={id}>
            <summary>
              {operationName(id)}: {number(stated)} of {plural(fields.size, 'field')}
            </summary>
            <Comparison id={id} sources={sources} />
          </details>
        );
      })}
    </Card>
  );
}
