import type { Command } from 'commander';
import { camelCase, type Input, type Operation } from '../contract/operations/index.ts';
import { PRESENTATIONS } from '../contract/operations/presentations.ts';
import { isMisspelt } from '../contract/parameters/misspelt.ts';
import type { Read } from '../contract/parameters/parameter.ts';
import facts from '../watches/known-facts.json' with { type: 'json' };
import { once, UsageError } from './option-values.ts';

const kebab = (name: string): string => name.replace(/_/g, '-').replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
const camel = (name: string): string => kebab(name).replace(/-(\w)/g, (_, c: string) => c.toUpperCase());

export type Options = Readonly<Record<string, string | true>>;

/** Adds a command for the operation, with its parameters as options in kebab-case. */
export function addOperation(parent: Command, { id, summary, parameters }: Operation, mayLack: boolean): Command {
  const name = PRESENTATIONS[id].name;
  const command = parent
    .command(id)
    .description(`${name}: ${summary[0]?.toLowerCase()}${summary.slice(1)}`)
    .showHelpAfterError('(parameters are options, written --name value; --help shows them)');
  if (camelCase(id) !== id) command.alias(camelCase(id));
  const only = mayLack ? null : onlyRequired(parameters);
  if (only) command.argument(`[${only.name}]`, `as --${kebab(only.name)}`);
  for (const p of parameters) {
    const flags = `--${kebab(p.name)} <${p.name}>`;
    if (p.required && !mayLack && p !== only) command.requiredOption(flags, p.description, once);
    else command.option(flags, `${p.description}${p.default === undefined ? '' : ` Default: ${p.default}.`}`, once);
  }
  return command;
}

/** The only required parameter of an operation, which can be passed as an argument; null if there is none or more than one. */
function onlyRequired(parameters: Operation['parameters']): Operation['parameters'][number] | null {
  const [first, ...more] = parameters.filter((p) => p.required);
  return first && !more.length ? first : null;
}

/** The options, with the argument as the only required parameter. Throws a UsageError if the parameter is given twice. */
export function withArgument(operation: Operation, argument: string | undefined, options: Options): Options {
  const { parameters } = operation;
  const only = onlyRequired(parameters);
  if (!only) return options;
  const name = camel(only.name);
  if (argument === undefined && options[name] === undefined)
    throw new UsageError(
      `Parameter ${only.name} is missing: give it as an argument or as --${kebab(only.name)}, such as '${exampleValue(operation.id, only)}'.`,
    );
  if (argument === undefined) return options;
  const [, written, value = ''] = /^(\w+)=(.*)$/s.exec(argument) ?? [];
  const exact = parameters.find((p) => p.name === written || kebab(p.name) === written);
  // a short name is near too many words that people look up
  const meant = exact ?? parameters.find((p) => written !== undefined && p.name.length > 5 && isMisspelt(written, p.name));
  if (meant) {
    const itself = exact ? '' : ` If it is the ${only.name} itself: --${kebab(only.name)} ${JSON.stringify(argument)}.`;
    throw new UsageError(
      `Parameters are options here: write --${kebab(meant.name)} ${JSON.stringify(value)} instead of ${JSON.stringify(argument)}.${itself}`,
    );
  }
  if (options[name] !== undefined) throw new UsageError(`Give ${only.name} once: as an argument or as --${kebab(only.name)}.`);
  return { ...options, [name]: argument };
}

/** Something that is there, where one is known for years; the examples of the contract are there on the simulated platforms alone. */
function exampleValue(operation: string, { name, example }: Operation['parameters'][number]): unknown {
  const known: Readonly<Record<string, unknown>> = facts.find((fact) => fact.operation === operation)?.parameters ?? {};
  return known[name] ?? example;
}

export const exampleOf = ({ id, parameters }: Operation): string =>
  parameters
    .filter((p) => p.required)
    .map((p) => ` --${kebab(p.name)} '${exampleValue(id, p)}'`)
    .join('');

const given = ({ parameters }: Operation, options: Options): [string, string][] =>
  parameters.flatMap((p): [string, string][] => {
    const value = options[camel(p.name)];
    return typeof value === 'string' ? [[p.name, value]] : [];
  });
export const textsOf = (operation: Operation, options: Options): Record<string, string> => Object.fromEntries(given(operation, options));
export const hasParameters = (operation: Operation, options: Options): boolean => given(operation, options).length > 0;

export const inputOf = (operation: Operation, options: Options): Read<Input> => operation.readInput(given(operation, options));
