import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { ADMIN_ACTIONS } from '../contract/admin/actions.ts';
import { createProgram } from './program.ts';

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];
const pathOf = (command: Command): string[] => (command.parent ? [...pathOf(command.parent), command.name()] : []);

/** What a command line that is wrong prints. */
async function refusalOf(args: readonly string[]): Promise<string> {
  let said = '';
  const program = createProgram();
  for (const command of all(program))
    command.configureOutput({ writeErr: (text) => (said += text) }).exitOverride((error) => {
      throw error;
    });
  await program.parseAsync([...args], { from: 'user' }).catch((error: Error) => (said += error.message));
  return said;
}

const CLOSED = all(createProgram()).flatMap((command) =>
  command.options.flatMap((option) => (option.argChoices ? [{ path: pathOf(command), option, values: option.argChoices }] : [])),
);

test('every option with a closed list of values refuses another one, and names itself, the value and the list', async () => {
  assert.ok(CLOSED.length > 20, `${CLOSED.length} options`);
  for (const { path, option, values } of CLOSED) {
    const said = await refusalOf([...path, option.long ?? '', 'nope-such']);
    for (const part of [option.long ?? '', 'nope-such', ...values])
      assert.ok(said.includes(part), `${path.join(' ')} ${option.long}: ${said}`);
  }
});

test('options that take outcomes, times between checks, and the closed lists of actions are such options', () => {
  const known = new Set(CLOSED.map(({ path, option }) => `${path.join(' ')} ${option.long}`));
  const wanted = [
    'captures list --outcome',
    'captures export --outcome',
    'replay --outcome',
    'watch add --every',
    'watch edit --every',
    'watch import --every',
    'ranks update --list',
  ];
  for (const action of Object.values(ADMIN_ACTIONS)) {
    if (!('command' in action) || action.command === undefined) continue;
    const words = action.command.replace(/ ?<[^>]*>/g, '');
    for (const [field, schema] of Object.entries(action.input.properties))
      if (Object.hasOwn(Object(schema), 'enum')) wanted.push(`${words} --${field}`);
  }
  assert.deepEqual(
    wanted.filter((option) => !known.has(option)),
    [],
  );
});
