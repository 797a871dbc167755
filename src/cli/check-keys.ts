import { isClientSecret, isKey } from '../accounts/keys/key-text.ts';

/** Result for one line; the key itself is never printed. */
interface Verdict {
  readonly line: number;
  /** `key`, `client-secret`, or `none`: not a Sightline credential, or a mistyped one. */
  readonly kind: 'key' | 'client-secret' | 'none';
}

/** Recognises credentials by form and checksum, without the store. Empty lines are skipped. */
export function checkKeys(lines: Iterable<string>): Verdict[] {
  const verdicts: Verdict[] = [];
  let line = 0;
  for (const raw of lines) {
    line++;
    const text = raw.trim();
    if (text === '') continue;
    verdicts.push({ line, kind: isKey(text) ? 'key' : isClientSecret(text) ? 'client-secret' : 'none' });
  }
  return verdicts;
}

/** `sightline keys check [key]`: checks the argument, else each line of standard input. Exits with 1 if any is `none`. */
export async function runKeyCheck(given: string | undefined, json: boolean): Promise<void> {
  const verdicts = checkKeys(given === undefined ? (await readAll(process.stdin)).split('\n') : [given]);
  for (const v of verdicts) {
    const words = v.kind === 'none' ? 'no credential of Sightline' : `${v.kind}, its checksum holds`;
    process.stdout.write(`${json ? JSON.stringify(v) : `line ${v.line}: ${words}`}\n`);
  }
  process.exitCode = verdicts.length > 0 && verdicts.every((v) => v.kind !== 'none') ? 0 : 1;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
