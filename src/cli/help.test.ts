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
