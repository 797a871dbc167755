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

/** Throws INVALID_REQUEST for a field of a body that is none of these. */
export function demandKnownFields(body: object, names: readonly string[]): void {
  const stray = Object.entries(body).find(([name]) => !names.includes(name));
  if (!stray) return;
  const [name, value] = stray;
  const cure = `there is no such field${didYouMean(name, names)}: use ${names.join(', ')}`;
  throw invalid(`Field ${name.slice(0, 100)} is ${shownValue(value)}, but ${cure}.`);
}
