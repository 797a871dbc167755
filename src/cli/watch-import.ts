import type { Sightline as Client } from '../client/index.ts';
import type { LookupInput } from '../client/lookups.ts';
import { checksInMonth, EVERY, EVERY_MS, type Every, type Watch, type Watches } from '../contract/account/watch-schemas.ts';
import type { OperationId } from '../contract/operations/index.ts';
import { OperatorError } from '../settings.ts';
import { readInput } from './bulk/input.ts';
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
  readonly skipped: readonly { readonly line: number; readonly why: string }[];
}

/** Sends each line of NDJSON as the body of a watch. */
async function importBodies(client: Client, file: string): Promise<Imported> {
  const made: Watch[] = [];
  for (const [i, line] of textOfFile(file).split('\n').entries())
    try {
      if (line.trim() !== '') made.push(await client.watches.create(JSON.parse(line)));
    } catch (error) {
      throw new OperatorError(`${file}, line ${i + 1}: ${(error as Error).message} ${made.length} watches were made.`);
    }
  return { made, skipped: [] };
}

/** Every watch of the account. */
export async function allOf(client: Client): Promise<Watches & { readonly watches: readonly Watch[] }> {
  const page = await client.watches.list({ limit: 1000 });
  const watches = [...page.watches];
  for (let { after, hasMore } = page; hasMore; ) {
    const next = await client.watches.list({ limit: 1000, after: Number(after) });
    watches.push(...next.watches);
    ({ after, hasMore } = next);
  }
  return { ...page, watches };
}

const nameOf = (operation: string, parameters: Readonly<Record<string, string>>): string =>
  `${operation} ${JSON.stringify(Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

/** Creates a watch for each line of a file: NDJSON in the form of the API, or with `--operation` a plain list, CSV or an export of a registrar. */
export async function importWatches(client: Client, file: string, options: ImportOptions, say: (text: string) => void): Promise<Imported> {
  if (options.operation === undefined) return importBodies(client, file);
  const operation = operationNamed(options.operation);
  const every = EVERY.find((one) => one === options.every) ?? fail(`Name the time between two checks: --every ${EVERY.join(', ')}.`);
  const skipped: { line: number; why: string }[] = [];
  const plan = await readInput(bytesOfFile(file), { name: file, operation }, (line, why) => skipped.push({ line, why }));
  if (skipped.length > 0 && !options.skipInvalid)
    throw new OperatorError(
      `${skipped.map(({ line, why }) => `${file}, line ${line}: ${why}.`).join('\n')}\nNothing was made: correct ${skipped.length === 1 ? 'this line' : 'these lines'}, or add --skip-invalid.`,
    );
  const account = await allOf(client);
  const watched = new Map(account.watches.map((watch) => [nameOf(watch.operation, watch.parameters), watch.watchId]));
  const lookups = plan.lookups.flatMap((lookup) => {
    if (lookup.first) skipped.push({ line: lookup.line, why: `repeats line ${lookup.first.line}` });
    if (lookup.first) return [];
    const { texts } = plan.read(lookup);
    const parameters = Object.fromEntries(Object.entries(texts).filter(([name]) => !plan.carried.includes(name)));
    const known = watched.get(nameOf(operation.id, parameters));
    if (known !== undefined) skipped.push({ line: lookup.line, why: `is watched already: ${known}` });
    return known === undefined ? [{ ...lookup, parameters }] : [];
  });
  const left = account.most - account.total;
  if (lookups.length > left)
    throw new OperatorError(
      `${lookups.length} watches are more than the ${left} that the account may still have: ${account.most} in all (SIGHTLINE_WATCHES_PER_ACCOUNT of the service). Nothing was made.`,
    );
  const month = await monthOf(client, operation.id, every, lookups);
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
async function monthOf(
  client: Client,
  operation: OperationId,
  every: Every,
  lookups: readonly { readonly units: number; readonly parameters: Readonly<Record<string, string>> }[],
): Promise<readonly number[]> {
  const prices = new Map<number, number>();
  // the parameters were read by the operation itself
  for (const { units, parameters } of lookups)
    if (!prices.has(units)) prices.set(units, (await client.account.price(operation, parameters as LookupInput<OperationId>)).price);
  return lookups.map(({ units }) => (prices.get(units) ?? 0) * checksInMonth(EVERY_MS[every]));
}

/** The end of an import, in words. */
export const importedText = ({ made, skipped }: Imported): string =>
  [
    ...skipped.map(({ line, why }) => `line ${line}: ${why}`),
    `${made.length} watches were made, ${made.reduce((sum, one) => sum + one.costPerMonth, 0)} credits a month at most`,
  ].join('\n');
