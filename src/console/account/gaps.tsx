import { ALWAYS } from '../../contract/admin/source-words.ts';
import { AskFor } from '../app/ask-for.tsx';
import { DOCS } from '../app/guides.ts';
import { operationIcon, operationName, operationOf } from '../app/operations.ts';
import { session } from '../app/session.ts';
import { freeWays, MOST_FREE, type Ways } from '../app/ways.ts';
import { LinkButton } from '../parts/controls.tsx';
import { statedInWords } from '../parts/coverage.tsx';
import { Card, Note } from '../parts/display.tsx';
import { DataTable } from '../parts/table.tsx';

/** What switches an operation on: what its providers give free, and then an address of the operator's own. */
const choicesOf = (way: Ways[number]) => [
  ...freeWays(way).slice(0, MOST_FREE),
  ...way.sources.filter(({ byKey, free }) => byKey && free === ALWAYS),
];

/** An operation that has a choice of free ways, with what follows them and what each states. */
function ChoiceOfWays({ way }: { way: Ways[number] }) {
  const name = operationName(way.id);
  return (
    <Card title={`Needs a source: ${name}`}>
      <p>{way.cure}</p>
      <DataTable
        caption={`Ways to ${name}`}
        class="stacked"
        rows={choicesOf(way)}
        columns={[
          { name: 'Way', value: ({ provider }) => provider, isHead: true },
          { name: 'Free', value: ({ free }) => free },
          { name: 'Then', value: ({ price }) => price },
          {
            name: 'States',
            of: ({ states, about }) => <span title={about}>{states.length > 0 ? statedInWords(states) : 'not compared'}</span>,
          },
          { name: 'Switch on', of: (source) => <AskFor id={way.id} source={source} /> },
        ]}
      />
      {session.value?.kind !== 'operator' && (
        <Note>“Ask for it” copies a note for your operator: what to switch on, what it costs, what it is for.</Note>
      )}
    </Card>
  );
}

/** Operations that no source answers: where there is room the one with most ways as a table; of the others one row for those with the same cure. */
export function Gaps({ ways, hasRoom = false }: { ways: Ways; hasRoom?: boolean }) {
  const gaps = ways.filter(({ ready }) => !ready);
  const most = gaps.toSorted((a, b) => choicesOf(b).length - choicesOf(a).length)[0];
  const chosen = hasRoom && most && choicesOf(most).length > 1 ? most : null;
  const others = gaps.filter((way) => way !== chosen);
  const rows = [...Map.groupBy(others, ({ cure }) => cure)].map(([cure, of]) => {
    const [{ id = '' } = {}] = of;
    const area = operationOf(id)?.area;
    return {
      ...{ id: cure, icon: operationIcon(id), first: of.map((one) => operationName(one.id)).join(', '), second: cure },
      aside: area && <LinkButton href={`${DOCS}${area}.html`} text="How" of={`to switch on ${operationName(id)}`} isNewTab />,
    };
  });
  return (
    <>
      {chosen && <ChoiceOfWays way={chosen} />}
      <Card
        title={chosen ? 'Also off' : 'Needs a source'}
        aside={!hasRoom && `${ways.length - gaps.length} of ${ways.length} operations answer`}
        rows={rows}
      />
    </>
  );
}
