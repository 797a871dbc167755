import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from './program.ts';

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());
const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

test('every command and every option has a description', () => {
  const commands = all(createProgram());
  assert.ok(commands.length > 50, `${commands.length} commands`);
  for (const command of commands) {
    const description = command.description();
    assert.ok(description.split(' ').length >= 3, `${pathOf(command)}: ${description}`);
    for (const option of command.options) assert.ok(option.description.split(' ').length >= 2, `${pathOf(command)} ${option.flags}`);
  }
});

test('every command stands in a group of the help', () => {
  const groups = new Set(createProgram().commands.map((command) => command.helpGroup()));
  assert.ok(!groups.has(''), 'a command has no group');
  assert.ok(groups.size >= 4 && groups.size <= 6, [...groups].join(', '));
});

test('the help names the exit codes', () => {
  let help = '';
  const program = createProgram().configureOutput({ writeOut: (text) => (help += text) });
  program.outputHelp();
  assert.match(help, /Exit codes: 0 success, 1 failure .*, 2 wrong usage/);
});

/** What a command line that is wrong prints. */
function refusalOf(args: readonly string[]): string {
  let said = '';
  const program = createProgram();
  for (const command of all(program)) {
    command.configureOutput({ writeErr: (text) => (said += text) }).exitOverride((error) => {
      throw error;
    });
  }
  assert.throws(() => program.parse(['node', 'sightline', ...args]), { name: 'CommanderError' });
  return said;
}
const shortened = (flag: string): string => flag.slice(0, -2) + flag.slice(-1);

test('of every command: an option with a letter less names the option, whatever else is missing', () => {
  const wrong: string[] = [];
  let count = 0;
  for (const command of all(createProgram())) {
    const names = command.options.flatMap(({ long }) => long ?? []);
    for (const long of names) {
      const given = shortened(long);
      if (long.length < 6 || names.includes(given)) continue;
      count++;
      const path = pathOf(command).split(' ').slice(1);
      for (const written of [[given, 'x'], [`${given}=x`]]) {
        const said = refusalOf([...path, ...written]);
        const [, meant = ''] = /Did you mean (--[\w-]+)\?/.exec(said) ?? [];
        // a name may be as near as another
        if (
          !said.includes(`unknown option '${given}`) ||
          (meant !== long && !names.some((name) => name === meant && shortened(name) === given))
        )
          wrong.push(`${[...path, ...written].join(' ')}: ${JSON.stringify(said)}`);
      }
    }
  }
  assert.ok(count > 200, `${count} options`);
  assert.deepEqual(wrong, []);
});

test('where no option is near, those that the command has are named', () => {
  const said = refusalOf(['lookup', 'serp', 'shoes', '--contry', 'DE']);
  assert.match(said, /^error: unknown option '--contry'\n\(It takes --keyword, --location, .*--help\.\)/);
  assert.match(refusalOf(['serve', '-q']), /^error: unknown option '-q'\n\(It takes --port, --json, --gateway, --help\.\)/);
});
