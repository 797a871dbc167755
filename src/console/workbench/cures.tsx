import { useEffect } from 'preact/hooks';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import { rankOfFree } from '../../contract/admin/source-words.ts';
import { AskFor, noteOf, sourceAt } from '../app/ask-for.tsx';
import { operationIcon, operationName, operationOf, workbenchAt } from '../app/operations.ts';
import { pageAt, setQuery } from '../app/place.ts';
import { api, send, session } from '../app/session.ts';
import { freeWays, readWays, type Ways } from '../app/ways.ts';
import { Button, CopyButton, LinkButton } from '../parts/controls.tsx';
import { statedInWords } from '../parts/coverage.tsx';
import { Pill } from '../parts/display.tsx';
import { shortTime } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import { type Answer, run } from './answer.ts';
import { Cure } from './cure.tsx';
import { ANY_STALE, askPrice, creditsText, givenOf, pathOf, priceOf, type Values } from './request.ts';

interface CureProps {
  readonly shown: Answer;
}

const MOST_READY = 4;

/** 501: all sources of the operation with what each lacks, gives free, costs and states; and what answers now. */
function Sources({ shown: { operation } }: CureProps) {
  const { loaded } = useLoaded(readWays, []);
  const isOperator = session.value?.kind === 'operator';
  const name = operationName(operation.id);
  return (
    <Show loaded={loaded}>
      {(ways) => {
        const way = ways.find(({ id }) => id === operation.id);
        const ready = ways.filter((one) => one.ready && one.id !== operation.id);
        const [first] = way ? freeWays(way) : [];
        const isWaiting = ({ lacking }: Ways[number]['sources'][number]): number => Number(lacking.length > 0);
        const sources = (way?.sources ?? []).toSorted((a, b) => isWaiting(a) - isWaiting(b) || rankOfFree(a.free) - rankOfFree(b.free));
        return (
          <section class="stack" aria-label="Sources">
            <p class="actions">
              {isOperator ? (
                <LinkButton
                  class="primary"
                  icon="plus"
                  href={first ? sourceAt(first.name) : '/console/sources'}
                  text={first ? `Add a key of ${first.provider}, free: ${first.free}` : 'Add a key'}
                />
              ) : (
                way && (
                  <CopyButton style="primary" text={() => noteOf(way)}>
                    Copy a note for your operator
                  </CopyButton>
                )
              )}
            </p>
            <h2>Sources for {name}</h2>
            <DataTable
              caption="Sources and what each lacks"
              class="stacked"
              rows={sources}
              none="No source of this version answers it."
              columns={[
                { name: 'Source', value: (source) => source.provider },
                {
                  name: 'Lacks',
                  of: ({ lacking }) =>
                    lacking.length === 0 ? (
                      <Pill tone="good" icon="check" text="In use" />
                    ) : (
                      lacking.map((name) => <code key={name}>{name} </code>)
                    ),
                },
                { name: 'Free', value: ({ free }) => free },
                { name: 'Then', value: ({ price }) => price },
                {
                  name: 'States',
                  of: (source) => (
                    <>
                      <span title={source.states.join(', ')}>{source.states.length > 0 ? statedInWords(source.states) : source.about}</span>{' '}
                      <AskFor id={operation.id} source={source} />
                    </>
                  ),
                },
              ]}
            />
            {ready.length > 0 && (
              <>
                <h2>Works now</h2>
                <p class="actions">
                  {ready.slice(0, MOST_READY).map(({ id, example }) => (
                    <LinkButton key={id} icon={operationIcon(id)} href={workbenchAt(id, example ?? {})} text={operationName(id)} />
                  ))}
                  {ready.length > MOST_READY && <a href={pageAt('/console')}>and {ready.length - MOST_READY} more</a>}
                </p>
              </>
            )}
          </section>
        );
      }}
    </Show>
  );
}

/** Depths below the one that was asked for, the largest first. */
const DEPTHS = [100, 50, 20, 10] as const;

/** 402: the same lookup with fewer results, with its price: the most that balance, cap of the key and own limit allow. */
function Smaller({ shown: { operation, values, headers, received } }: CureProps) {
  const asked = Number(values.depth ?? 0);
  const own = headers['X-Max-Credits'] ?? null;
  const balance = received.get('x-credits-remaining') ?? null;
  const cap = received.get('x-cap-remaining') ?? null;
  const most = Math.min(...[own, balance, cap].map((limit) => (limit === null ? Number.POSITIVE_INFINITY : Number(limit))));
  const { loaded } = useLoaded(
    async (signal) => {
      const priceAt = async (given: Values): Promise<number> => {
        const query = { operation: operation.id, ...givenOf(operation, given) };
        return (await api<AccountPrice>('/v1/account/price', { query, signal })).charge;
      };
      const hasDepth = operation.parameters.some(({ name }) => name === 'depth');
      const depths = hasDepth ? DEPTHS.filter((depth) => depth < asked) : [];
      const cheaper = depths.map(async (depth) => ({ depth, charge: await priceAt({ ...values, depth: String(depth) }) }));
      return { price: await priceAt(values), cheaper: await Promise.all(cheaper) };
    },
    [operation.id, asked],
  );
  return (
    <Show loaded={loaded}>
      {({ price, cheaper }) => {
        const fitting = cheaper.filter(({ charge }) => charge <= most).slice(0, 1);
        return (
          <p class="actions">
            {fitting.map(({ depth, charge }) => (
              <Button
                key={depth}
                class="primary"
                icon="play"
                text={`Run with ${depth} results · ${creditsText(charge)}`}
                onClick={() => {
                  setQuery({ depth: String(depth) });
                  void run(charge);
                }}
              />
            ))}
            {own !== null && price > Number(own) && (
              <Cure
                icon="play"
                query={{ _max: null }}
                text={`Run without the limit of ${creditsText(Number(own))} · ${creditsText(price)}`}
              />
            )}
            {cap !== null && <LinkButton icon="key" href={pageAt('/console/keys')} text="Limits of your keys" />}
          </p>
        );
      }}
    </Show>
  );
}

/** 402: the answer that is cached although it is no longer fresh, with its time. It is free. */
function OldAnswer({ shown: { operation, values } }: CureProps) {
  const { value: answeredAt } = useLoaded(
    async (signal) => {
      const response = await send(pathOf(operation, values), { headers: { 'Cache-Control': `only-if-cached, ${ANY_STALE}` }, signal });
      const age = response.headers.get('Age');
      return response.ok && age !== null ? new Date(Date.now() - Number(age) * 1000).toISOString() : null;
    },
    [operation.id, JSON.stringify(values)],
  );
  if (!answeredAt) return null;
  const use = (): void => {
    setQuery({ _age: 'old' });
    void run(null);
  };
  return (
    <p class="actions">
      <Button icon="clock" text={`Use the answer of ${shortTime(answeredAt)} · free`} onClick={use} />
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

/** 404: the next steps with their prices: a search for what was typed, and to ask again, which is free while it is not there. */
function NextSteps({ shown: { operation, values } }: CureProps) {
  const [id = '', parameter = ''] = SEARCHES.get(operation.id) ?? [];
  const first = operation.parameters.find(({ required }) => required)?.name ?? '';
  const typed = (values[first] ?? '').replaceAll(/[-_]+/g, ' ').trim();
  const search = { [parameter]: typed };
  const found = operationOf(id);
  useEffect(() => (found && typed ? askPrice(found, search, 0) : undefined), [found, typed]);
  return (
    <p class="actions">
      {found && typed && (
        <LinkButton
          icon="search"
          href={workbenchAt(id, search)}
          text={`${operationName(id)}: look for “${typed}” · ${priceOf(id, search)}`}
        />
      )}
      <Cure icon="refresh" query={{ _age: 'new' }} text="Ask again · free while it is not there" />
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
  return shown.status === 404 ? <NextSteps shown={shown} /> : null;
}
