import type { ComponentChildren } from 'preact';
import { DOCS } from '../app/guides.ts';
import { operationOf, workbenchAt } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { accountHere } from '../app/session.ts';
import type { Ways } from '../app/ways.ts';
import { files } from '../files/store.ts';
import { Card, type ListEntry, Rows } from '../parts/display.tsx';
import { inWords, words } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { useLoaded } from '../parts/page.tsx';
import { nextRow, usePrices } from '../workbench/lookup-rows.tsx';
import { Gaps } from './gaps.tsx';

/** What was done already, of what the service knows. */
interface Done {
  readonly key: boolean;
  readonly lookup: boolean;
  readonly watch: boolean;
}

/** A row for each operation that answers: with a lookup of a thing that is there, else with what its form asks for. */
function rowsOf(ways: Ways): readonly ListEntry[] {
  const answering = ways.flatMap(({ id, ready, example }) => {
    const operation = operationOf(id);
    return ready && operation ? [{ operation, example }] : [];
  });
  usePrices(answering.flatMap(({ operation: { id }, example }) => (example ? [[id, example] as const] : [])));
  return answering.map(({ operation: { id, parameters }, example }) => ({
    ...nextRow([id, example ?? {}]),
    second: example ? inWords(example) : `enter the ${words(parameters[0]?.name ?? '')}`,
  }));
}

/** What a step leads to, and what it says before it is done. */
function Steps({ done, begin }: { done: Done; begin: string }) {
  // files are known to this browser alone
  const { value: hasFile = false } = useLoaded(async () => (await files.jobs(accountHere())).some(({ begun }) => begun !== null), []);
  const steps = [
    // who sees this has an account, and no account can be claimed a second time
    [true, '/setup', 'Claim the installation', ''],
    [done.key, pageAt('/console/keys'), 'Store the first key', 'for your program'],
    [done.lookup, workbenchAt(begin), 'Make a lookup', 'a domain is quickest'],
    [hasFile, pageAt('/console/files'), 'Look up a file', 'a CSV, in the browser'],
    [done.watch, pageAt('/console/watches'), 'Watch something', 'told before a domain expires'],
  ] as const;
  const count = steps.filter(([isDone]) => isDone).length;
  const rows = steps.map(
    ([isDone, href, first, second]): ListEntry => ({
      ...{ id: href, first },
      before: (
        <span class="about">
          <Icon name={isDone ? 'check' : 'right'} />
        </span>
      ),
      ...(!isDone && { href, second }),
    }),
  );
  return <Card title="First steps" aside={`${count} of ${steps.length}`} rows={count === steps.length ? [] : rows} />;
}

const READ: readonly ListEntry[] = [
  ['first-source', 'First source, step by step'],
  ['examples', 'The API by example'],
  ['mcp', 'Connect an agent (MCP)'],
].map(([page = '', first]) => ({ id: page, icon: 'right', href: `${DOCS}${page}.html`, first }));

interface FirstDayProps {
  /** In the order in which they are shown. */
  readonly ways: Ways;
  readonly done: Done;
  /** The operation with which a lookup begins. */
  readonly begin: string;
  readonly credits: Readonly<Record<string, string | null>>;
  /** What was done already. */
  readonly children: ComponentChildren;
}
/** Home until there is something to count: what answers here, how the rest is switched on, and the first steps. */
export function FirstDay({ ways, done, begin, credits, children }: FirstDayProps) {
  const rows = rowsOf(ways);
  return (
    <div class="columns">
      <div class="stack">
        <div>
          <h2>
            {rows.length} of {ways.length} operations answer now
          </h2>
          <p class="caption">Errors and cached answers are free.</p>
        </div>
        {rows.length > 0 && (
          <Card title="Works now" aside={<a href={workbenchAt(ways.find(({ ready }) => ready)?.id ?? '')}>Open the Workbench</a>}>
            <Rows isPaired rows={rows} />
          </Card>
        )}
        <Gaps ways={ways} hasRoom />
        {children}
      </div>
      <aside class="stack" aria-label="Begin">
        <Steps done={done} begin={begin} />
        <Card title="Credits" inset facts={credits} />
        <Card title="Read" rows={READ} />
      </aside>
    </div>
  );
}
