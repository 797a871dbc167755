import { text } from 'node:stream/consumers';
import { isClientSecret, isKey } from '../accounts/keys/key-text.ts';
import { printResult } from './terminal.ts';

/** Recognises credentials by form and checksum, without the store. `none`: not a Sightline credential, or a mistyped one. Empty lines are skipped; a key is never printed. */
export function checkKeys(lines: readonly string[]) {
  const kindOf = (line: string) => (isKey(line) ? 'key' : isClientSecret(line) ? 'client-secret' : 'none');
  return lines.flatMap((line, i) => (line.trim() === '' ? [] : [{ line: i + 1, kind: kindOf(line.trim()) }]));
}

/** `sightline keys check [key]`: checks the argument, else each line of standard input. Exits with 1 if any is `none`. */
export async function runKeyCheck(given: string | undefined, json: boolean): Promise<void> {
  const verdicts = checkKeys(given === undefined ? (await text(process.stdin)).split('\n') : [given]);
  for (const verdict of verdicts) {
    const words = verdict.kind === 'none' ? 'no credential of Sightline' : `${verdict.kind}, its checksum holds`;
    printResult(json, verdict, () => `line ${verdict.line}: ${words}`);
  }
  process.exitCode = verdicts.length > 0 && verdicts.every(({ kind }) => kind !== 'none') ? 0 : 1;
}
