import { operationIcon, operationName, operationOf, workbenchAt } from '../app/operations.ts';
import { ListRow } from '../parts/card.tsx';
import { Chip } from '../parts/chip.tsx';
import { Button } from '../parts/controls.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { download } from '../parts/files.ts';
import { plural } from '../parts/format.ts';
import { creditsText, quoteOf } from './price.ts';
import type { Values } from './request.ts';

function priceOf(id: string, values: Values): string {
  const operation = operationOf(id);
  const price = operation && quoteOf(operation, values).price;
  return price ? creditsText(price.charge) : (/^\d+ credits?/.exec(operation?.price ?? '')?.[0] ?? '');
}

/** Something that an answer names, as a link to its own lookup; nothing is run before a click on Run. */
export const NextLink = ({ id, values, name }: { id: string; values: Values; name?: string }) => (
  <a class="next" href={workbenchAt(id, values)} title={`${operationName(id)}: ${priceOf(id, values)}`}>
    {name ?? operationName(id)}
  </a>
);

export type Next = readonly [id: string, values: Values, name?: string];

export const NextLookups = ({ title = 'Next', lookups }: { title?: string; lookups: readonly Next[] }) => (
  <section class="stack" aria-label={title}>
    <h2>{title}</h2>
    <ul class="rows boxed">
      {lookups.map(([id, values, name]) => (
        <ListRow
          key={`${id} ${Object.values(values)}`}
          icon={operationIcon(id)}
          href={workbenchAt(id, values)}
          first={name ?? operationName(id)}
        >
          <span class="about">{priceOf(id, values)}</span>
        </ListRow>
      ))}
    </ul>
  </section>
);

/** Hands a list to `sightline bulk`: the command, and the file that it reads. */
export function BulkChip({ id, parameter, values }: { id: string; parameter: string; values: readonly (string | null)[] }) {
  const file = `${id}.txt`;
  const command = `npx sightline bulk ${id} ${file} --url ${location.origin} -o ${id}.ndjson`;
  const all = [...new Set(values.filter((value) => value !== null))];
  if (all.length < 2) return null;
  return (
    <Chip value="Look up all of these" label="Look up all of these">
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
