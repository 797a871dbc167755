import { ENCODINGS, type Encoding } from '../../bulk/encoding.ts';
import type { Separator } from '../../contract/csv-records.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { operationChoices } from '../app/operations.ts';
import { Check } from '../parts/controls.tsx';
import { number } from '../parts/format.ts';
import { Problem } from '../parts/page.tsx';
import { Faults } from './faults.tsx';
import { change, type OpenFile, rearrange } from './open-file.ts';
import { Price } from './price.tsx';
import { type Reading, sampleOf, shortWhy } from './reading.ts';
import { linesText } from './words.ts';

interface ViewProps {
  readonly file: OpenFile;
  readonly reading: Reading;
}

/** A choice that stands in a line of text. */
function Choose<T extends string>({
  name,
  value,
  choices,
  set,
}: {
  name: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  set: (to: T) => void;
}) {
  return (
    <label class="file-choose">
      <span>{name}</span>
      {/* the values are those of the options */}
      <select value={value} onChange={(event) => set(event.currentTarget.value as T)}>
        {choices.map(([id, words]) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A region that scrolls must be reachable by keyboard. */
const SCROLLS = { tabIndex: 0 };
const SEPARATOR_NAMES: readonly (readonly [Separator, string])[] = [
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
];

/** What was guessed of the file, named where it matters, each part to be changed. */
function Guessed({ file, reading: { guess, encoding, operation, holds } }: ViewProps) {
  const { chosen } = file.job.value;
  const choose = (changes: typeof chosen): void => void rearrange(file, { chosen: { ...chosen, ...changes } });
  const hasNumbers = operation.parameters.some(({ name, schema }) => holds.includes(name) && 'minimum' in schema);
  const isTable = guess.format === 'csv';
  if (encoding === 'utf-8' && !isTable && chosen.encoding === undefined) return null;
  return (
    <div class="toolbar file-guessed">
      {isTable && (
        <>
          <Choose
            name="Separator"
            value={guess.separator ?? ','}
            choices={SEPARATOR_NAMES}
            set={(separator) => choose({ separator, holds: undefined })}
          />
          <Check
            text="The first line names the columns"
            isOn={guess.hasHeader}
            set={(hasHeader) => choose({ hasHeader, holds: undefined })}
          />
        </>
      )}
      {(encoding !== 'utf-8' || chosen.encoding !== undefined) && (
        // the names of the table
        <Choose
          name="Encoding"
          value={encoding}
          choices={Object.entries(ENCODINGS) as [Encoding, string][]}
          set={(to) => choose({ encoding: to })}
        />
      )}
      {isTable && hasNumbers && (guess.decimal === ',' || chosen.decimal !== undefined) && (
        <Choose
          name="Decimals after a"
          value={guess.decimal}
          choices={[
            [',', 'comma: 10,0'],
            ['.', 'point: 10.0'],
          ]}
          set={(decimal) => choose({ decimal })}
        />
      )}
    </div>
  );
}

/** What a column holds. */
function Holds({ file, reading: { guess, holds, operation }, column }: ViewProps & { column: number }) {
  const held = holds[column] ?? '';
  const set = (to: string): void => {
    const next = holds.map((name, index) => (index === column ? to || null : name === to ? null : name));
    void rearrange(file, { chosen: { ...file.job.peek().chosen, holds: next } });
  };
  return (
    <select
      class={held ? undefined : 'file-left-out'}
      aria-label={`Column ${guess.names[column]} holds`}
      value={held}
      onChange={(event) => set(event.currentTarget.value)}
    >
      <option value="">left out</option>
      {operation.parameters.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Line({ line, reading, why }: { line: number; reading: Reading; why: string | undefined }) {
  const fields = reading.fieldsOf(line);
  return (
    <tr class={why === undefined ? undefined : 'file-bad'}>
      <th scope="row" class="numeric">
        {number(line)}
      </th>
      {reading.guess.names.map((name, index) => {
        const text = reading.guess.format === 'ndjson' ? (index === 0 ? (fields[0] ?? '') : '') : (fields[index] ?? '');
        const meant = reading.guess.format === 'ndjson' ? null : reading.meant(index, text);
        return (
          <td key={name} data-name={name} class={reading.holds[index] ? undefined : 'file-left-out'}>
            <span class="file-text" title={text}>
              {text}
            </span>
            {meant !== null && <span class="file-meant"> → {meant}</span>}
          </td>
        );
      })}
      <td data-name="State" class="file-state">
        {why === undefined ? 'ready' : shortWhy(why)}
      </td>
    </tr>
  );
}

/** The first lines of the file and one of each kind of fault, with a choice above each column. */
function Lines({ file, reading }: ViewProps) {
  const { guess, bad, lines } = reading;
  const shown = sampleOf(reading);
  const whyOf = new Map(bad.map(({ line, why }) => [line, why]));
  const isTable = guess.format === 'csv';
  const columns = guess.format === 'ndjson' ? [{ name: 'Line of JSON', index: 0 }] : guess.names.map((name, index) => ({ name, index }));
  return (
    <section class="table file-lines" aria-label="Table: first lines of the file" {...SCROLLS}>
      <table>
        <caption class="visually-hidden">First lines of the file</caption>
        <thead>
          <tr>
            <th scope="col" class="numeric">
              Line
            </th>
            {columns.map(({ name, index }) => (
              <th key={name} scope="col">
                <span class="file-column">{name}</span>
                {isTable && <Holds file={file} reading={reading} column={index} />}
              </th>
            ))}
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <Line
              key={line}
              line={line}
              why={whyOf.get(line)}
              reading={guess.format === 'ndjson' ? { ...reading, guess: { ...guess, names: ['Line of JSON'] } } : reading}
            />
          ))}
        </tbody>
      </table>
      <p class="caption file-foot">
        {number(shown.length)} of {linesText(lines)}: the first{bad.length > 0 && ', and one of each kind of fault'}
      </p>
    </section>
  );
}

/** Why there is nothing to run; null: there is. */
function faultOf({ lacking, guess, lines }: Reading): string | null {
  if (lacking.length > 0)
    return `No column holds ${lacking.join(' and ')}: choose it above its column${guess.format === 'list' ? ', or give a file with a header' : ''}.`;
  return lines === 0 ? `There is no line${guess.hasHeader ? ' below the names of the columns' : ''}.` : null;
}

export function MapView({ file, reading }: ViewProps) {
  const job = file.job.value;
  const { operation, lacking, bad } = reading;
  const hasLanguage =
    operation.parameters.some(({ name }) => name === 'language') && operation.parameters.some(({ name }) => name === 'location');
  return (
    <div class="columns file-map">
      <div class="stack">
        <div class="toolbar">
          {/* the ids of the contract */}
          <Choose
            name="Look up"
            value={job.operation}
            choices={operationChoices() as readonly (readonly [OperationId, string])[]}
            set={(to) => void rearrange(file, { operation: to, chosen: { ...job.chosen, holds: undefined } })}
          />
          <span class="caption">one line, one lookup</span>
        </div>
        <Guessed file={file} reading={reading} />
        <Problem words={faultOf(reading)} />
        {reading.lines > 0 && <Lines file={file} reading={reading} />}
        <div class="toolbar">
          {hasLanguage && (
            <Check
              text="Language from the country where the file names none"
              isOn={job.languageOfCountry}
              set={(languageOfCountry) => void rearrange(file, { languageOfCountry })}
            />
          )}
          {reading.plan.carried.length > 0 && (
            <Check
              text="Columns of the file stay in the result"
              isOn={job.keepsColumns}
              set={(keepsColumns) => void change(file, { keepsColumns })}
            />
          )}
        </div>
        {lacking.length === 0 && bad.length > 0 && <Faults file={file} reading={reading} />}
      </div>
      <Price file={file} reading={reading} />
    </div>
  );
}
