import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { InvalidArgumentError, Option } from 'commander';
import { type Operation, operationList, operationOf } from '../contract/operations/index.ts';
import { mustBeOneOf, thereIsNo } from '../contract/parameters/misspelt.ts';
import { unreadFile } from '../runtime/unread-file.ts';
import { OperatorError } from '../settings.ts';

/** Invalid command line: exit code 2. The message names the option or argument. */
export class UsageError extends OperatorError {}

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((t) => t.trim())
    .filter(Boolean);
/** A whole number, with a sign or without. Throws a UsageError for other text. */
export const signedInteger = (text: string): number =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : fail(`${JSON.stringify(text)} is not a whole number`);
export const fail = (message: string): never => {
  throw new UsageError(message);
};

/** An option that takes one of these values. */
export const choice = (flags: string, about: string, values: readonly string[]): Option =>
  new Option(flags, about).choices(values).argParser((text: string) => {
    if (values.includes(text)) return text;
    throw new InvalidArgumentError(`It ${mustBeOneOf(values, text)}.`);
  });

export const operationNamed = (id: string): Operation =>
  operationOf(id) ??
  fail(
    thereIsNo(
      'operation',
      id,
      operationList.map((o) => o.id),
    ),
  );

/** Parameters that are given as `name=value`. `option` names them in the message; they are arguments without it. */
export function pairsOf(texts: readonly string[], option: string | null, example: string): [string, string][] {
  const pairs = texts.map((text): [string, string] => {
    const equals = text.indexOf('=');
    if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
    const what = option === null ? `${text}: write parameters as` : `${option} is ${JSON.stringify(text)}: write`;
    return fail(`${what} name=value, such as ${example}.`);
  });
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice === undefined ? pairs : fail(`Parameter ${twice} is given more than once: give it once.`);
}
/** Reads an option that would silently replace the one before. */
export function once(text: string, before: string | undefined): string {
  if (before !== undefined) throw new InvalidArgumentError('It is given more than once: give it once.');
  return text;
}
/** The bytes of a regular file: a device may have no end, and a pipe no writer. Throws a UsageError. */
export function bytesOfFile(file: string): Buffer {
  let opened: number | null = null;
  try {
    // without O_NONBLOCK the opening of a pipe waits for its writer
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(opened);
    if (found.isDirectory()) fail(`${file} cannot be read: it is a folder.`);
    if (!found.isFile()) fail(`${file} cannot be read: it is a device, pipe or socket. Name a regular file.`);
    return readFileSync(opened);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return fail(`${unreadFile(file, error)}.`);
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/** Its text without a byte order mark. Throws a UsageError where it is not UTF-8: read as such, other words would be asked for. */
export const textOfFile = (file: string): string => utf8Of(bytesOfFile(file), file);
function utf8Of(bytes: Uint8Array, from: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail(`${from} is not valid UTF-8: save it as UTF-8.`);
  }
}
/** The text of a file, or with `-` of standard input, and what messages call it. */
export async function textOfInput(file: string): Promise<{ readonly text: string; readonly from: string }> {
  if (file !== '-') return { text: textOfFile(file), from: file };
  const from = 'standard input';
  return { text: utf8Of(await buffer(process.stdin), from), from };
}

/** `30m`, `24h`, `7d` or seconds, as ms. */
export function duration(text: string): number {
  const m = /^(\d{1,9})(s|m|h|d)?$/.exec(text);
  if (!m) return fail(`${JSON.stringify(text)} is not a duration: write 45s, 30m, 24h or 7d`);
  return Number(m[1]) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[m[2] ?? 's'] ?? 1_000);
}
/** Readers of commander's options: its message names the option. */
export const wholeNumber = (minimum: number, maximum: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < minimum || value > maximum)
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  return value;
};
export function perSecond(text: string): number {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || Number(text) <= 0)
    throw new InvalidArgumentError('It must be a number above 0, such as 5 or 0.5.');
  return Number(text);
}
