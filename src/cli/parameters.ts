import type { Command } from 'commander';
import { type Read, readInput } from '../contract/input.ts';
import type { Operation } from '../contract/operations.ts';

const kebab = (name: string): string => name.replace(/_/g, '-').replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
const camel = (name: string): string => kebab(name).replace(/-(\w)/g, (_, c: string) => c.toUpperCase());

export type Options = Readonly<Record<string, string | true>>;

/** Gives a command the operation's parameters as options, in kebab-case. */
export function addParameters(command: Command, { parameters }: Operation, mayLack: boolean): void {
  for (const p of parameters) {
    const flags = `--${kebab(p.name)} <${p.name}>`;
    if (p.required && !mayLack) command.requiredOption(flags, p.description);
    else command.option(flags, `${p.description}${p.default === undefined ? '' : ` Default: ${p.default}.`}`);
  }
}

/** The options of an example: all that the operation requires. */
export const exampleOf = ({ parameters }: Operation): string =>
  parameters
    .filter((p) => p.required)
    .map((p) => ` --${kebab(p.name)} '${p.example}'`)
    .join('');

const given = ({ parameters }: Operation, options: Options): [string, string][] =>
  parameters.flatMap((p): [string, string][] => {
    const value = options[camel(p.name)];
    return typeof value === 'string' ? [[p.name, value]] : [];
  });
export const hasParameters = (operation: Operation, options: Options): boolean => given(operation, options).length > 0;

/** The operation's input, read as the gateway reads it. */
export const inputOf = (operation: Operation, options: Options): Read<Record<string, unknown>> =>
  readInput(operation.parameters, given(operation, options));
