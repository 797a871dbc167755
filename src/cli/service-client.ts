import { type ClientOptions, Sightline, SightlineError } from '../client/index.ts';
import { accountEndpoints } from '../contract/account/endpoints.ts';
import { fail } from './option-values.ts';

export { SightlineError };

interface Shape {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

const isContainer = ({ type, anyOf = [] }: Shape): boolean => type === 'object' || type === 'array' || anyOf.some(isContainer);

/** What a value lacks of its schema: objects and lists, or all members of an object. Other versions may have some more, and some fewer. */
function shapeFault(shape: Shape, value: unknown, name = 'its body'): string | null {
  const { type, anyOf, required = [], properties = {}, items } = shape;
  if (anyOf) {
    const faults = anyOf.map((one) => shapeFault(one, value, name));
    return faults.includes(null) ? null : (faults[0] ?? null);
  }
  if (type === 'null') return value === null ? null : `${name} is not null`;
  if (type === 'array') {
    if (!Array.isArray(value)) return `${name} is no list`;
    return items ? firstFault(value.map((item, i) => () => shapeFault(items, item, `${name}/${i}`))) : null;
  }
  // a schema without a type is that of any value
  if (type === undefined) return null;
  if (type !== 'object') return typeof value === 'object' ? `${name} is no single value` : null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `${name} is no object`;
  const has = (member: string): boolean => Object.hasOwn(value, member);
  const missing = required.find((member) => !has(member) && (!required.some(has) || isContainer(properties[member] ?? {})));
  if (missing !== undefined) return `${name} has no ${missing}`;
  const known = Object.entries(value).filter(([member]) => Object.hasOwn(properties, member));
  return firstFault(
    known.map(
      ([member, each]) =>
        () =>
          shapeFault(properties[member] as Shape, each, member),
    ),
  );
}

function firstFault(checks: readonly (() => string | null)[]): string | null {
  for (const check of checks) {
    const fault = check();
    if (fault !== null) return fault;
  }
  return null;
}

const ACCOUNT = accountEndpoints.map(({ method = 'GET', path, resource }) => {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
  return { method, pattern, shape: resource as Shape };
});

/** Answers to account endpoints are checked; those of lookups, which may be many and large, are written as they are. */
function bodyFault(method: string, path: string, body: object): string | null {
  const endpoint = ACCOUNT.find((each) => each.method === method && each.pattern.test(path.split('?', 1)[0] ?? ''));
  return endpoint ? shapeFault(endpoint.shape, body) : null;
}

/** A client of the service at this URL with the key in SIGHTLINE_API_KEY. Throws a UsageError. */
export function serviceClient(
  baseUrl: string,
  { SIGHTLINE_API_KEY: apiKey }: { readonly SIGHTLINE_API_KEY?: string | null | undefined },
  options: ClientOptions = {},
): Sightline {
  if (!apiKey) return fail('Set SIGHTLINE_API_KEY to your key of the service.');
  try {
    return new Sightline({ bodyFault, ...options, baseUrl, apiKey });
  } catch (error) {
    return fail(`The address of the service (--url or SIGHTLINE_URL) is not valid: ${(error as Error).message}`);
  }
}
