import { shownValue } from './account/shown.ts';
import { invalid, type ServiceError } from './errors.ts';
import { type BodySchema, misfit } from './misfit.ts';
import { didYouMean } from './parameters/misspelt.ts';

/** INVALID_REQUEST that names the field of a body, its value and the cure. `must`: "must be …". */
export const wrongField = (name: string, value: unknown, must: string): ServiceError =>
  invalid(`Field ${name} is ${shownValue(value)}, but it ${must}.`);

/** Throws INVALID_REQUEST where the value of a field does not match its schema. */
export function demandField(schema: BodySchema, value: unknown, name: string): void {
  const fault = misfit(schema, value, name);
  if (fault) throw wrongField(fault.pointer, fault.value, fault.why);
}

/** A field of a body that is none of these; undefined: there is none. */
const strayIn = (body: object, names: readonly string[]) => Object.entries(body).find(([name]) => !names.includes(name));

/** Throws INVALID_REQUEST for a field of a body that is none of these. `path`: of the object that has them, such as `apps/`. */
export function demandKnownFields(body: object, names: readonly string[], path = ''): void {
  const [name, value] = strayIn(body, names) ?? [];
  if (name === undefined) return;
  const cure = `there is no such field${didYouMean(name, names)}: use ${names.join(', ')}`;
  throw invalid(`Field ${path}${name.slice(0, 100)} is ${shownValue(value)}, but ${cure}.`);
}
/** The same for bodies that hold credentials: no value is shown. */
export function demandFieldNames(body: object, names: readonly string[]): void {
  const [name] = strayIn(body, names) ?? [];
  if (name === undefined) return;
  const known = names.length > 0 ? `: there are ${names.join(', ')}` : '';
  throw invalid(`${JSON.stringify(name.slice(0, 100))} is no field here${didYouMean(name, names)}${known}.`);
}
