import type { AccountRequests } from '../../contract/account/schemas.ts';
import type { OperationView } from '../../contract/contract-view.ts';
import { operationName, workbenchAt } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { api } from '../app/session.ts';
import { Button, Chip, CopyButton, download } from '../parts/controls.tsx';
import { Card, Rows } from '../parts/display.tsx';
import { plural } from '../parts/format.ts';
import { useLoaded } from '../parts/page.tsx';
import { exampleRow, lookupRow, MOST_ROWS, type Next, nextRow, usePrices } from './lookup-rows.tsx';
import { plain } from './query-bar.tsx';
import { examplesOf, priceOf, type Values } from './request.ts';

export function StartView({ operation }: { operation: OperationView }) {
  usePrices([[operation.id, examplesOf(operation)]]);
  const query = { operation: operation.id, limit: MOST_ROWS };
  const { value: past } = useLoaded((signal) => api<AccountRequests>('/v1/account/requests', { query, signal }), [operation]);
  return (
    <div class="page columns">
      <div class="stack">
        <h2>Try one</h2>
        <Rows boxed rows={[exampleRow(operation)]} />
        <Card
          title="Your last lookups"
          aside={<a href={pageAt('/console/requests')}>All requests</a>}
          rows={past?.requests.map(lookupRow) ?? []}
        />
      </div>
      <div class="stack">
        <Card title="What you get" inset>
          <p>{plain(operation.summary)}.</p>
        </Card>
        <Card title="Price" inset>
          <p>{`${plain(operation.price)}. Errors and kept answers are free.`}</p>
        </Card>
      </div>
    </div>
  );
}

/** Something that an answer names, as a link to its own lookup; nothing is run before a click on Run. */
export const NextLink = ({ id, values, name }: { id: string; values: Values; name?: string }) => (
  <a class="next" href={workbenchAt(id, values)} title={`${operationName(id)}: ${priceOf(id, values)}`}>
    {name ?? operationName(id)}
  </a>
);

export function NextLookups({ title = 'Next', lookups }: { title?: string; lookups: readonly Next[] }) {
  usePrices(lookups);
  return (
    <section class="stack" aria-label={title}>
      <h2>{title}</h2>
      <Rows boxed rows={lookups.map(nextRow)} />
    </section>
  );
}

export function BulkChip({ id, parameter, values }: { id: string; parameter: string; values: readonly (string | null)[] }) {
  const file = `${id}.txt`;
  const command = `npx sightline bulk ${id} ${file} --url ${location.origin} -o ${id}.ndjson`;
  const all = [...new Set(values.filter((value) => value !== null))];
  if (all.length < 2) return null;
  return (
    <Chip value="Look up all of these">
      {() => (
        <div class="stack">
          <p>
            {plural(all.length, 'lookup')} of {operationName(id)}, each {priceOf(id, { [parameter]: all[0] ?? '' })} at most.{' '}
            {'Kept answers are free.'}
          </p>
          <Button icon="download" text={file} onClick={() => download(file, 'text/plain', `${all.join('\n')}\n`)} />
          <pre class="box">{command}</pre>
          <CopyButton text={() => command}>Copy the command</CopyButton>
        </div>
      )}
    </Chip>
  );
}
