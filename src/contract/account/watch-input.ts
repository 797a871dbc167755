import type { TSchema } from 'typebox';
import { demandField, demandKnownFields, wrongField } from '../body-fields.ts';
import { sameJson } from '../compare.ts';
import { countedFields, countsNumbers } from '../counted-fields.ts';
import { invalid } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { OPERATIONS, type Operation, operationOf } from '../operations/index.ts';
import { mustBeOneOf } from '../parameters/misspelt.ts';
import type { Threshold, WatchedField } from '../watched-field.ts';
import { EVERY, type Every } from './constants.ts';
import { readTargets } from './notify-input.ts';
import type { NewTarget } from './notify-schemas.ts';
import { MOST_LIST_LINES, OF_LIST } from './watch-list-schemas.ts';
import { NewWatch, SETTABLE, type WatchEdit } from './watch-schemas.ts';

/** What was read of a body: the forms of targets are known. */
export interface ReadEdit extends Omit<WatchEdit, 'notify'> {
  readonly notify?: readonly NewTarget[] | null | undefined;
}
export interface WatchDefinition extends ReadEdit {
  readonly operation: Operation;
  /** Texts by name, as the operation reads them. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly every: Every;
}

type Body = Readonly<Record<string, unknown>>;
const NAMES = Object.keys(SETTABLE);
const PARAMETERS: TSchema = NewWatch.properties.parameters;
/** Its message names the field, the value and the cure. */
function demand(holds: boolean, name: string, value: unknown, must: string): asserts holds {
  if (!holds) throw wrongField(name, value, must);
}

function knownFields(body: unknown, names: readonly string[]): asserts body is Body {
  if (!isObject(body)) throw invalid('The body must be a JSON object, such as {"operation": "registration", …}.');
  demandKnownFields(body, names);
}

const withoutRepeats = <T>(values: readonly T[]): T[] => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];

/** Null: it has none, or more than one. */
function readThreshold(field: Body): Threshold | null {
  const { path, ...rest } = field;
  const [[name, value] = ['', null], ...others] = Object.entries(rest);
  if (others.length > 0 || typeof value !== 'number' || !Number.isFinite(value)) return null;
  if (name === 'crosses') return { crosses: value };
  if (value <= 0) return null;
  return name === 'least' ? { least: value } : name === 'leastShare' ? { leastShare: value } : null;
}

/** Null: those of the operation. */
function readFields(value: unknown, operation: Operation): readonly WatchedField[] | null {
  if (value === null) return null;
  const { minItems, maxItems } = SETTABLE.fields.anyOf[0];
  const isList = Array.isArray(value) && value.length >= minItems && value.length <= maxItems;
  demand(isList, 'fields', value, `must be a list of ${minItems} to ${maxItems} fields`);
  const fields = value.map((one: unknown, i): WatchedField => {
    const place = `fields/${i}`;
    const path = isObject(one) ? one.path : one;
    const must = `must be a field of ${operation.id} that can change, such as ${operation.watch.fields.slice(0, 3).join(', ')}`;
    demand(typeof path === 'string' && path.length <= 500 && countedFields(operation, path) !== null, place, one, must);
    if (!isObject(one)) return path;
    const threshold = readThreshold(one);
    demand(threshold !== null, place, one, 'must be {"path"} with one of "least" and "leastShare", above 0, and "crosses"');
    demand(countsNumbers(operation, path), place, one, `must name a number of ${operation.id}`);
    return { path, ...threshold };
  });
  const each = withoutRepeats(fields);
  return sameJson(each, operation.watch.fields) ? null : each;
}

/** Null: those of the operation. Sorted, the most days first. */
function readDue(days: readonly number[] | null, { id, watch }: Operation): number[] | null {
  if (days === null) return null;
  demand(watch.due !== undefined || days.length === 0, 'due', days, `must be [] here: ${id} has no date that lies ahead`);
  return withoutRepeats(days).sort((a, b) => b - a);
}

/** Fields that readers of their own check. */
const READ_APART: readonly string[] = ['fields', 'notify'];

/** Throws INVALID_REQUEST for a field that its schema does not accept. */
function readPlain(body: Body, schemas: Readonly<Record<string, TSchema>> = SETTABLE): Body {
  const given = Object.entries(schemas).filter(([name]) => body[name] !== undefined);
  for (const [name, schema] of given) if (!READ_APART.includes(name)) demandField(schema, body[name], name);
  return Object.fromEntries(given.map(([name]) => [name, body[name]]));
}

function readOperation({ operation: id }: Body): Operation {
  const operation = typeof id === 'string' ? operationOf(id) : undefined;
  demand(operation !== undefined, 'operation', id, mustBeOneOf(Object.keys(OPERATIONS), id));
  return operation;
}

function readSettings(body: Body, operation: Operation): ReadEdit {
  const plain: ReadEdit = readPlain(body);
  const { fields, notify } = body;
  return {
    ...plain,
    ...(fields !== undefined && { fields: readFields(fields, operation) }),
    ...(plain.tags !== undefined && { tags: withoutRepeats(plain.tags) }),
    ...(plain.due !== undefined && { due: readDue(plain.due, operation) }),
    ...(notify !== undefined && { notify: notify === null ? null : readTargets(notify) }),
  };
}

/** Throws INVALID_REQUEST. */
export function readNewWatch(body: unknown): WatchDefinition {
  knownFields(body, ['operation', 'parameters', ...NAMES]);
  const operation = readOperation(body);
  const { parameters = {} } = body;
  demandField(PARAMETERS, parameters, 'parameters');
  const texts = Object.fromEntries(Object.entries(parameters as object).map(([name, value]) => [name, String(value)]));
  const input = operation.readInput(Object.entries(texts));
  if (!input.ok) throw invalid(`Field parameters: ${input.why}`);
  const { every, ...settings } = readSettings(body, operation);
  demand(every !== undefined, 'every', undefined, `must be one of ${EVERY.join(', ')}`);
  return { ...settings, operation, parameters: texts, every };
}

interface GivenList {
  readonly lines: string;
  readonly make?: boolean;
  readonly skipInvalid?: boolean;
}
/** A list, and what the watches of its lines have in common. */
export interface ReadList extends Required<GivenList> {
  readonly operation: Operation;
  readonly settings: Body & Pick<ReadEdit, 'due'> & { readonly every: Every; readonly creditsPerMonth?: number };
}
const OF_EACH = NAMES.filter((name) => name !== 'name' && name !== 'paused');

/** Throws INVALID_REQUEST. */
export function readWatchList(body: unknown): ReadList {
  knownFields(body, [...new Set(['operation', ...OF_EACH, ...Object.keys(OF_LIST)])]);
  const operation = readOperation(body);
  const { lines = null, ...plain } = readPlain(body, OF_LIST) as Partial<GivenList>;
  demand(lines !== null, 'lines', body.lines, 'must be a text: a value a line, or CSV with a header');
  const count = lines.split('\n').length;
  if (count > MOST_LIST_LINES)
    throw invalid(`Field lines has ${count} lines, but it must have ${MOST_LIST_LINES} at most: give it in parts.`);
  const { every } = readSettings(body, operation);
  demand(every !== undefined, 'every', undefined, `must be one of ${EVERY.join(', ')}`);
  const given = Object.fromEntries(OF_EACH.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
  return { make: false, skipInvalid: false, ...plain, lines, operation, settings: { ...given, every } };
}

/** Throws INVALID_REQUEST. */
export function readWatchEdit(body: unknown, operation: Operation): ReadEdit {
  const names = [...NAMES, 'takeOver'];
  knownFields(body, names);
  if (Object.keys(body).length === 0) throw invalid(`Nothing is to be changed: give one of ${names.join(', ')}.`);
  const { takeOver } = body;
  if (takeOver !== undefined) demand(takeOver === true, 'takeOver', takeOver, 'must be true, or left out');
  return { ...readSettings(body, operation), ...(takeOver === true && { takeOver }) };
}
