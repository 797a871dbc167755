import { readInput } from '../bulk/input.ts';
import { type LeftOut, tooMany, watchesOf } from '../bulk/watch-list.ts';
import type { Sightline as Client } from '../client/index.ts';
import type { LookupInput } from '../client/lookups.ts';
import { allWatches } from '../contract/account/all-watches.ts';
import { checksInMonth, EVERY, EVERY_MS, type Every } from '../contract/account/constants.ts';
import type { Watch, Watches } from '../contract/account/watch-schemas.ts';
import type { Operation, OperationId } from '../contract/operations/index.ts';
import { readJsonText } from '../runtime/json-text.ts';
import { OperatorError } from '../settings.ts';
import { bytesOfFile, fail, operationNamed, textOfFile } from './option-values.ts';

export interface ImportOptions {
  readonly operation?: string;
  readonly every?: string;
  readonly budget?: string;
  readonly webhook?: string;
  readonly yes?: true;
  readonly skipInvalid?: true;
}

/** Lines of a file that become watches, and those that do not with the reason. */
export interface Imported {
  readonly made: readonly Watch[];
  readonly skipped: readonly LeftOut[];
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
  for (const [i, line] of textOfFile(file).split('\n').entries())
    try {
      if (line.trim() !== '') made.push(await client.watches.create(bodyIn(line)));
    } catch (error) {
      throw new OperatorError(`${file}, line ${i + 1}: ${(error as Error).message} ${made.length} watches were made.`);
    }
  return { made, skipped: [] };
}

/** Every watch of the account. */
const allOf = (client: Client): Promise<Watches> => allWatches((page) => client.watches.list(page));

/** Creates a watch for each line of a file: NDJSON in the form of the API, or with `--operation` a plain list, CSV or an export of a registrar. */
export async function importWatches(client: Client, file: string, options: ImportOptions, say: (text: string) => void): Promise<Imported> {
  if (options.operation === undefined) return importBodies(client, file);
  const operation = operationNamed(options.operation);
  const every = EVERY.find((one) => one === options.every) ?? fail(`Name the time between two checks: --every ${EVERY.join(', ')}.`);
  const skipped: LeftOut[] = [];
  const plan = await readInput(bytesOfFile(file), { name: file, operation }, (line, why) => skipped.push({ line, why }));
  if (skipped.length > 0 && !options.skipInvalid)
    throw new OperatorError(
      `${skipped.map(({ line, why }) => `${file}, line ${line}: ${why}.`).join('\n')}\nNothing was made: correct ${skipped.length === 1 ? 'this line' : 'these lines'}, or add --skip-invalid.`,
    );
  const account = await allOf(client);
  const { planned: lookups, leftOut } = watchesOf(plan, operation.id, account.watches);
  skipped.push(...leftOut);
  const beyond = tooMany(lookups.length, account);
  if (beyond !== null) throw new OperatorError(beyond);
  const month = await monthlyCost(client, operation, every, lookups);
  say(
    `${lookups.length} watches, every ${every}: ${month.reduce((sum, one) => sum + one, 0)} credits a month at most; ${skipped.length} lines are left out`,
  );
  if (lookups.length > 0 && !options.yes) throw new OperatorError('Nothing was made: add --yes to make them.');
  const made: Watch[] = [];
  for (const [i, { line, parameters }] of lookups.entries())
    try {
      const creditsPerMonth = options.budget === undefined ? (month[i] ?? 1) : Number(options.budget);
      const webhook = options.webhook === undefined ? undefined : { url: options.webhook };
      made.push(await client.watches.create({ operation: operation.id, parameters, every, creditsPerMonth, webhook }));
    } catch (error) {
      throw new OperatorError(`${file}, line ${line}: ${(error as Error).message} ${made.length} watches were made.`);
    }
  return { made, skipped: skipped.sort((a, b) => a.line - b.line) };
}

/** What each of them costs a month at most: the service is asked once for each price. */
async function monthlyCost(
  client: Client,
  { id, watch }: Operation,
  every: Every,
  lookups: readonly { readonly units: number; readonly parameters: Readonly<Record<string, string>> }[],
): Promise<readonly number[]> {
  const prices = new Map<number, number>();
  // the parameters were read by the operation itself
  for (const { units, parameters } of lookups)
    if (!prices.has(units)) prices.set(units, (await client.account.price(id, parameters as LookupInput<OperationId>)).price);
  return lookups.map(({ units }) => (prices.get(units) ?? 0) * checksInMonth(EVERY_MS[every], watch.due?.days.length));
}

/** The end of an import, in words. */
export const importedText = ({ made, skipped }: Imported): string =>
  [
    ...skipped.map(({ line, why }) => `line ${line}: ${why}`),
    `${made.length} watches were made, ${made.reduce((sum, one) => sum + one.costPerMonth, 0)} credits a month at most`,
  ].join('\n');
