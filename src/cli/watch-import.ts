import type { Sightline as Client } from '../client/index.ts';
import { EVERY } from '../contract/account/constants.ts';
import type { WatchImport } from '../contract/account/watch-list-schemas.ts';
import type { Watch } from '../contract/account/watch-schemas.ts';
import { readJsonText } from '../runtime/json-text.ts';
import { OperatorError } from '../settings.ts';
import { fail, operationNamed, textOfInput } from './option-values.ts';
import { plural } from './terminal.ts';
import { type SettingOptions, settingsOf } from './watch-settings.ts';

export interface ImportOptions extends SettingOptions {
  readonly operation?: string;
  readonly yes?: true;
  readonly skipInvalid?: true;
}

/** Lines of a file that become watches, and those that do not with the reason. */
export interface Imported {
  readonly made: readonly (Watch | WatchImport['watches'][number])[];
  readonly skipped: WatchImport['leftOut'];
}

function bodyIn(line: string): Parameters<Client['watches']['create']>[0] {
  try {
    // the service reads the body
    return readJsonText(line) as Parameters<Client['watches']['create']>[0];
  } catch (error) {
    throw new Error(`it is not JSON, ${(error as Error).message}: a line is the body of a watch, or add --operation for a list or CSV.`);
  }
}

/** Sends each line of NDJSON as the body of a watch. */
async function importBodies(client: Client, file: string): Promise<Imported> {
  const made: Watch[] = [];
  const { text, from } = await textOfInput(file);
  for (const [i, line] of text.split('\n').entries())
    try {
      if (line.trim() !== '') made.push(await client.watches.create(bodyIn(line)));
    } catch (error) {
      throw new OperatorError(`${from}, line ${i + 1}: ${(error as Error).message} ${madeText(made.length)}.`);
    }
  return { made, skipped: [] };
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
const madeText = (count: number): string => `${plural(count, 'watch was', 'watches were')} made`;
const leftOutText = (lines: Imported['skipped']): string => lines.map(({ line, why }) => `line ${line}: ${why}`).join('\n');

/** Creates a watch for each line of a file: NDJSON in the form of the API, or with `--operation` a plain list, CSV or an export of a registrar. */
export async function importWatches(client: Client, file: string, options: ImportOptions, say: (text: string) => void): Promise<Imported> {
  const settings = settingsOf(options);
  if (options.operation === undefined) {
    if (Object.keys(settings).length > 0 || options.skipInvalid)
      fail(
        'Without --operation each line is the body of a watch, which says all of it: leave out the other options, or name the operation.',
      );
    return importBodies(client, file);
  }
  const every = EVERY.find((one) => one === options.every) ?? fail(`Name the time between two checks: --every ${EVERY.join(', ')}.`);
  const { id } = operationNamed(options.operation);
  const { text, from } = await textOfInput(file);
  const body = { ...settings, operation: id, every, lines: text };
  const { watches, leftOut, costPerMonth } = await client.watches.import(body);
  const bad = leftOut.filter(({ reason }) => reason === 'unreadable');
  if (bad.length > 0 && !options.skipInvalid)
    throw new OperatorError(
      `${bad.map(({ line, why }) => `${from}, line ${line}: ${sentence(why)}`).join('\n')}\nNothing was made: correct ${bad.length === 1 ? 'this line' : 'these lines'}, or add --skip-invalid.`,
    );
  const left = `${plural(leftOut.length, 'line is', 'lines are')} left out`;
  say(`${plural(watches.length, 'watch', 'watches')}, every ${every}: ${plural(costPerMonth, 'credit')} a month at most; ${left}`);
  if (watches.length > 0 && !options.yes) {
    if (leftOut.length > 0) say(leftOutText(leftOut));
    throw new OperatorError('Nothing was made: add --yes to make them.');
  }
  const done = await client.watches.import({ ...body, make: true, skipInvalid: true });
  return { made: done.watches, skipped: done.leftOut };
}

/** The end of an import, in words. */
export const importedText = ({ made, skipped }: Imported): string =>
  [
    ...(skipped.length > 0 ? [leftOutText(skipped)] : []),
    `${madeText(made.length)}, ${plural(
      made.reduce((sum, one) => sum + one.costPerMonth, 0),
      'credit',
    )} a month at most`,
  ].join('\n');
