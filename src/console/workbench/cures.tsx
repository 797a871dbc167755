import type { AccountPrice } from '../../contract/account/schemas.ts';
import { operationName, workbenchAt } from '../app/operations.ts';
import { setQuery } from '../app/place.ts';
import { api, send, session } from '../app/session.ts';
import { readWays } from '../app/ways.ts';
import { Button, LinkButton } from '../parts/controls.tsx';
import { Pill } from '../parts/display.tsx';
import { shortTime } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import { type Answer, run } from './answer.ts';
import { ANY_STALE, creditsText, givenOf, pathOf } from './request.ts';

interface CureProps {
  readonly shown: Answer;
}

/** 501: all sources of the operation, and what each lacks. */
function Sources({ shown: { operation } }: CureProps) {
  const { loaded } = useLoaded(readWays, []);
  const isOperator = session.value?.kind === 'operator';
  return (
    <Show loaded={loaded}>
      {(ways) => (
        <section class="stack" aria-label="Sources">
          <h2>Sources for {operationName(operation.id)}</h2>
          <DataTable
            caption="Sources and what each lacks"
            class="steps"
            rows={ways.find(({ id }) => id === operation.id)?.sources ?? []}
            none="No source of this version answers it."
            columns={[
              { name: 'Source', value: (source) => source.name },
              { name: 'What it is', value: (source) => source.about },
              {
                name: 'What it lacks',
                of: ({ lacking }) =>
                  lacking.length === 0 ? <Pill tone="good" icon="check" text="In use" /> : <code class="long">{lacking.join(', ')}</code>,
              },
            ]}
          />
          {isOperator ? (
            <p class="actions">
              <LinkButton class="primary" icon="plug" href="/console/sources" text="Add a key" />
            </p>
          ) : (
            <p class="about">The operator of this service can add a key, under Sources in the operator's console.</p>
          )}
        </section>
      )}
    </Show>
  );
}

/** Depths below the one that was asked for, the largest first. */
const DEPTHS = [50, 20, 10] as const;

/** 402: the same lookup with fewer results, with its price. */
function Smaller({ shown: { operation, values } }: CureProps) {
  const asked = Number(values.depth ?? 0);
  const { loaded } = useLoaded(
    (signal) => {
      const depths = operation.parameters.some(({ name }) => name === 'depth') ? DEPTHS.filter((depth) => depth < asked) : [];
      return Promise.all(
        depths.map(async (depth) => {
          const query = { operation: operation.id, ...givenOf(operation, { ...values, depth: String(depth) }) };
          const { charge } = await api<AccountPrice>('/v1/account/price', { query, signal });
          return { depth, charge };
        }),
      );
    },
    [operation.id, asked],
  );
  return (
    <Show loaded={loaded}>
      {(smaller) =>
        smaller.length > 0 && (
          <p class="actions">
            {smaller.map(({ depth, charge }) => (
              <Button
                key={depth}
                icon="play"
                text={`Run with ${depth} results · ${creditsText(charge)}`}
                onClick={() => {
                  setQuery({ depth: String(depth) });
                  void run(charge);
                }}
              />
            ))}
          </p>
        )
      }
    </Show>
  );
}

/** 402: the answer that is cached although it is no longer fresh, with its time. It is free. */
function OldAnswer({ shown: { operation, values } }: CureProps) {
  const { value: at } = useLoaded(
    async (signal) => {
      const response = await send(pathOf(operation, values), { headers: { 'Cache-Control': `only-if-cached, ${ANY_STALE}` }, signal });
      const age = response.headers.get('Age');
      return response.ok && age !== null ? new Date(Date.now() - Number(age) * 1000).toISOString() : null;
    },
    [operation.id, JSON.stringify(values)],
  );
  if (!at) return null;
  const use = (): void => {
    setQuery({ _age: 'old' });
    void run(null);
  };
  return (
    <p class="actions">
      <Button icon="clock" text={`Use the answer of ${shortTime(at)} · free`} onClick={use} />
    </p>
  );
}

/** Where a name that does not exist is looked for: the operation that searches, and its parameter. */
const SEARCHES: ReadonlyMap<string, readonly [id: string, parameter: string]> = new Map(
  Object.entries({
    app: ['app-keywords', 'keyword'],
    'app-reviews': ['app-keywords', 'keyword'],
    'appstore-reviews': ['app-keywords', 'keyword'],
    'app-developer': ['app-keywords', 'keyword'],
    'forum-community': ['forum-search', 'query'],
  } as const),
);

/** 404: the next step, a search for what was typed. */
function Search({ shown: { operation, values } }: CureProps) {
  const search = SEARCHES.get(operation.id);
  const first = operation.parameters.find(({ required }) => required)?.name ?? '';
  const typed = (values[first] ?? '').replaceAll(/[-_]+/g, ' ').trim();
  if (!search || !typed) return null;
  const [id, parameter] = search;
  return (
    <p class="actions">
      <LinkButton icon="search" href={workbenchAt(id, { [parameter]: typed })} text={`${operationName(id)}: look for “${typed}”`} />
    </p>
  );
}

export function Cures({ shown }: CureProps) {
  if (shown.status === 501) return <Sources shown={shown} />;
  if (shown.status === 402)
    return (
      <>
        <Smaller shown={shown} />
        <OldAnswer shown={shown} />
      </>
    );
  return shown.status === 404 ? <Search shown={shown} /> : null;
}
