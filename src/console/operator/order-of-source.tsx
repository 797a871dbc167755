import type { SourceState } from '../../contract/admin/schemas.ts';
import { SOURCE_WORDS } from '../../contract/admin/source-words.ts';
import { sourceAt } from '../app/ask-for.tsx';
import { operationName } from '../app/operations.ts';
import type { Ways } from '../app/ways.ts';
import { Card } from '../parts/display.tsx';

interface OrderProps {
  readonly name: string;
  readonly ways: Ways;
  readonly all: readonly SourceState[];
}
/** The sources of its operations in the order in which they are asked, once for the operations that have the same. */
export function OrderOfSource({ name, ways, all }: OrderProps) {
  const stateOf = new Map(all.map((source) => [source.name, source.state]));
  const orders = ways.map(({ id, sources }) => ({ id, names: [...new Set(sources.map((source) => source.name))] }));
  const own = orders.filter(({ names }) => names.includes(name));
  return [...Map.groupBy(own, ({ names }) => names.join()).values()].map((same) => (
    <Card
      key={same[0]?.id}
      title={`Order: ${same.map(({ id }) => operationName(id)).join(', ')}`}
      rows={(same[0]?.names ?? []).map((each, index) => {
        const state = stateOf.get(each);
        return {
          id: each,
          ...{
            before: <strong>{index + 1}</strong>,
            first: each === name ? <strong>{each}</strong> : each,
            href: sourceAt(each),
            isHere: each === name,
          },
          aside: state && <span class="caption">{SOURCE_WORDS[state]}</span>,
        };
      })}
    />
  ));
}
