import { text } from 'node:stream/consumers';
import { type Command, createOption, type Option } from 'commander';
import { isClientSecret, isKey, isOperatorKey } from '../accounts/keys/key-text.ts';
import { type ActionName, ADMIN_ACTIONS } from '../contract/admin/actions.ts';
import type { AdminAction } from '../contract/admin/define.ts';
import { visibleJson } from '../contract/errors.ts';
import { type Shape, shapeOf } from '../contract/resource-fields.ts';
import { OUTPUT } from './manage-output.ts';
import { choice, duration, list, signedInteger, textOfFile } from './option-values.ts';
import { forTerminal, printResult } from './terminal.ts';

const GROUPS: Readonly<Record<string, string>> = {
  accounts: 'create, list, rename, suspend and delete accounts; show their usage, ledger and requests',
  keys: 'create, list, edit, revoke and replace API keys',
  credits: 'grant credits and show balances',
  ledger: 'verify and anchor the ledger of credits',
  audit: 'show and verify the audit log of changes',
  operator: "show and replace the key of the operator's console",
  clients: 'create, list and revoke OAuth clients; rotate the signing key of access tokens',
};
const EXAMPLES: { readonly [Name in ActionName]?: string } = {
  createKey: 'sightline keys create --label "price monitor" --operations registration,traffic --credits-per-day 500',
  createClient: 'sightline clients create --label "price monitor" --scopes registration,traffic,account',
};

type ReadOption = (text: string) => unknown;
/** Stands for null, which commander would replace. */
const NONE = Symbol('none');
/** Options whose name or value is not that of their field. */
const FLAGS: Readonly<Record<string, { readonly flags: string; readonly read?: ReadOption }>> = {
  accountId: { flags: '--account <id>' },
  expiresAt: { flags: '--expires <when>' },
  ratePerSecond: { flags: '--rate <n>' },
  rateBurst: { flags: '--burst <n>' },
  graceMs: { flags: '--grace <duration>', read: duration },
  anchor: { flags: '--anchor <file>', read: textOfFile },
};

const VALUES: Readonly<Record<string, { readonly value: string; readonly read: ReadOption }>> = {
  string: { value: ' <text>', read: (text) => text },
  integer: { value: ' <n>', read: signedInteger },
  array: { value: ' <list>', read: list },
};

const readerOf = (name: string, schema: Shape): ReadOption | undefined => FLAGS[name]?.read ?? VALUES[shapeOf(schema).type ?? '']?.read;

function optionOf(name: string, schema: Shape): Option {
  const { type = '', description = '' } = shapeOf(schema);
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const option = createOption(FLAGS[name]?.flags ?? `--${kebab}${VALUES[type]?.value ?? ''}`, description.replace('null:', '`none`:'));
  const values = (schema as { readonly enum?: readonly string[] }).enum;
  if (values) return choice(option.flags, option.description, values);
  const read = readerOf(name, schema);
  return read ? option.argParser((text) => (schema.anyOf && text === 'none' ? NONE : read(text))) : option;
}

/** The commands of the operator's actions: through the running server, or on the store itself where no server runs. */
export function addManagement(program: Command): void {
  const groups = new Map<string, Command>();
  for (const [name, action] of Object.entries<AdminAction>(ADMIN_ACTIONS)) {
    if (action.command === undefined) continue;
    const [words = '', ...names] = action.command.split(/ ?<|> ?<?/).filter(Boolean);
    const [last = '', group] = words.split(' ').reverse();
    if (group !== undefined && !groups.has(group)) groups.set(group, program.command(group).description(GROUPS[group] ?? ''));
    addCommand((group === undefined ? program : groups.get(group))?.command(last) as Command, name as ActionName, action, names);
  }
  groups
    .get('keys')
    ?.command('check [key]')
    .description(
      'check the checksum of API keys and client secrets offline: of the argument, or of each line on standard input; exit code 1 where one is invalid',
    )
    .option('--json', 'print one JSON line per input line')
    .action((key: string | undefined, o: { json?: boolean }) => runKeyCheck(key, o.json === true));
}

function addCommand(command: Command, name: ActionName, { summary, input, answer }: AdminAction, inOrder: readonly string[]): void {
  const schemas: Readonly<Record<string, Shape>> = input.properties;
  const options = Object.entries(schemas).flatMap(([field, schema]) =>
    inOrder.includes(field) ? [] : [{ field, option: optionOf(field, schema) }],
  );
  const finds = 'properties' in answer && Object.hasOwn(Object(answer.properties), 'faults');
  command.description(`${summary}${finds ? '; exit code 1 where there is a fault' : ''}`);
  for (const field of inOrder) command.argument(`<${field}>`, schemas[field]?.description, readerOf(field, schemas[field] ?? {}) ?? String);
  for (const { option } of options) command.addOption(option);
  command.option('--json', 'print the result as JSON');
  const example = EXAMPLES[name];
  if (example) command.addHelpText('after', `\nExample:\n  ${example}`);
  command.action(async () => {
    const given = command.opts<Record<string, unknown>>();
    const values = [
      ...inOrder.map((field, i) => [field, command.processedArgs[i] as unknown] as const),
      ...options.map(({ field, option }) => [field, given[option.attributeName()]] as const),
    ].flatMap(([field, value]) => (value === undefined ? [] : [[field, value === NONE ? null : value] as const]));
    const { withAdmin } = await import('./admin-session.ts');
    await withAdmin(async (admin) => {
      const run = admin[name as keyof typeof admin] as (input: object) => Promise<object>;
      const result = await run(Object.fromEntries(values));
      const text = OUTPUT[name] as ((result: object) => string) | undefined;
      process.stdout.write(`${given.json || !text ? visibleJson(result) : forTerminal(text(result))}\n`);
      if ('faults' in result && (result.faults as readonly string[]).length) process.exitCode = 1;
    });
  });
}

/** Recognises credentials by form and checksum, without the store. `none`: not a Sightline credential, or a mistyped one. Empty lines are skipped; a key is never printed. */
export function checkKeys(lines: readonly string[]) {
  const kindOf = (line: string) =>
    isKey(line) ? 'key' : isClientSecret(line) ? 'client-secret' : isOperatorKey(line) ? 'operator-key' : 'none';
  return lines.flatMap((line, i) => (line.trim() === '' ? [] : [{ line: i + 1, kind: kindOf(line.trim()) }]));
}

/** `sightline keys check [key]`: checks the argument, else each line of standard input. Exits with 1 if any is `none`. */
async function runKeyCheck(given: string | undefined, json: boolean): Promise<void> {
  const verdicts = checkKeys(given === undefined ? (await text(process.stdin)).split('\n') : [given]);
  for (const verdict of verdicts) {
    const words = verdict.kind === 'none' ? 'no credential of Sightline' : `${verdict.kind}, its checksum holds`;
    printResult(json, verdict, () => `line ${verdict.line}: ${words}`);
  }
  process.exitCode = verdicts.length > 0 && verdicts.every(({ kind }) => kind !== 'none') ? 0 : 1;
}
