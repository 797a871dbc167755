import { OPERATIONS, type OperationId } from '../../contract/operations/index.ts';
import { SettingError } from '../../settings.ts';
import { READERS, readerOf } from '../readers.ts';
import { type JsonObject, numberIn, objectOf } from '../untyped-json.ts';
import { readPointer } from './pointer.ts';

/** One data provider of the operator's file, with secrets inserted. */
export interface Relay {
  /** `relay/<name>`, shown as X-Data-Source. */
  readonly id: string;
  readonly reader: string;
  readonly operation: OperationId;
  /** Parts of the URL: literal text, or the name of an input that is inserted percent-encoded. */
  readonly url: readonly (string | { readonly input: string })[];
  readonly headers: Readonly<Record<string, string>>;
  readonly pointer: readonly string[];
  readonly place: 'first' | 'last';
  /** HTTP statuses of the provider that mean `absent`. */
  readonly absentStatuses: readonly number[];
  readonly everyMs: number;
  readonly maxBytes: number;
  readonly maxRequestsPerDay: number;
  readonly maxUsdPerDay: number;
  readonly usdEach: number;
  /** Values that must never be logged. */
  readonly secrets: readonly string[];
}

const FIELDS: ReadonlySet<string> = new Set([
  'name',
  'reader',
  'url',
  'headers',
  'pointer',
  'place',
  'absentStatuses',
  'everyMs',
  'maxBytes',
  'maxRequestsPerDay',
  'maxUsdPerDay',
  'usdEach',
]);

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses one relay. Throws a SettingError with the path of the field. */
function readRelay(fields: JsonObject, place: string, environment: Environment): Relay {
  const fail = (field: string, why: string): never => {
    throw new SettingError(`SIGHTLINE_RELAYS: ${place}/${field} ${why}`);
  };
  const secrets: string[] = [];
  const fill = (field: string, text: string): string =>
    text.replace(/\$\{(\w*)\}/g, (_, name: string) => {
      const secret = environment[name];
      if (!secret) return fail(field, `names the environment variable ${name || '""'}, which is not set`);
      secrets.push(secret);
      return secret;
    });
  const number = (field: string, least: number, fallback: number): number => {
    if (fields[field] === undefined) return fallback;
    const value = typeof fields[field] === 'number' ? numberIn(fields[field]) : null;
    return value === null || value < least ? fail(field, `must be a number of at least ${least}`) : value;
  };

  const stray = Object.keys(fields).find((name) => !FIELDS.has(name));
  if (stray !== undefined) fail(stray, `is not known: a relay has ${[...FIELDS].join(', ')}`);
  const name =
    typeof fields.name === 'string' && /^[a-z0-9][a-z0-9-]{0,39}$/.test(fields.name)
      ? fields.name
      : fail('name', 'must be 1 to 40 small letters, digits and hyphens');
  const entry = typeof fields.reader === 'string' ? readerOf(fields.reader) : undefined;
  if (!entry) return fail('reader', `must be one of ${Object.keys(READERS).join(', ')}`);
  const pointer = fields.pointer === undefined ? [] : typeof fields.pointer === 'string' ? readPointer(fields.pointer) : null;
  if (!pointer) return fail('pointer', 'must be a JSON pointer such as /data/0, or "" for the whole answer');
  const wanted = fields.place ?? 'first';
  if (wanted !== 'first' && wanted !== 'last') return fail('place', 'must be "first" (asked before the other sources) or "last"');
  const absent = fields.absentStatuses ?? [];
  if (!Array.isArray(absent) || !absent.every((s) => Number.isInteger(s) && s >= 400 && s < 500))
    return fail('absentStatuses', 'must be a list of statuses from 400 to 499');

  if (typeof fields.url !== 'string') return fail('url', 'must be an https URL in which {url}, {id} and the like stand for the input');
  const known = OPERATIONS[entry.operation].parameters.flatMap((p) => [p.field, ...(p.parts?.names ?? [])]);
  const url = fields.url.split(/(?<!\$)(\{\w*\})/).map((piece) => {
    const input = /^\{(\w*)\}$/.exec(piece)?.[1];
    if (input === undefined) return fill('url', piece);
    return known.includes(input)
      ? { input }
      : fail('url', `holds {${input}}, but this reader's operation knows ${known.map((k) => `{${k}}`).join(', ')}`);
  });
  const sample = url.map((piece) => (typeof piece === 'string' ? piece : 'x')).join('');
  if (!URL.canParse(sample) || !/^https?:$/.test(new URL(sample).protocol)) return fail('url', 'must be an http(s) URL');
  const [origin] = url;
  if (typeof origin !== 'string' || !/^https?:\/\/[^/?#]+[/?#]/.test(origin))
    return fail('url', 'must name its host in full: no input may stand in it');

  const given = objectOf(fields.headers ?? {});
  if (!given) return fail('headers', 'must be an object of header names and texts');
  const headers = Object.fromEntries(
    Object.entries(given).map(([header, value]) => {
      if (typeof value !== 'string' || !/^[\w-]+$/.test(header)) return fail(`headers/${header}`, 'must be a header with a text');
      const filled = fill(`headers/${header}`, value);
      return [header.toLowerCase(), /[\r\n]/.test(filled) ? fail(`headers/${header}`, 'must stand on one line') : filled];
    }),
  );
  return {
    id: `relay/${name}`,
    reader: String(fields.reader),
    operation: entry.operation,
    url,
    headers,
    pointer,
    place: wanted,
    absentStatuses: absent as number[],
    everyMs: number('everyMs', 0, 200),
    maxBytes: number('maxBytes', 1_000, 8_000_000),
    maxRequestsPerDay: number('maxRequestsPerDay', 1, 1_000),
    maxUsdPerDay: number('maxUsdPerDay', 0, Number.POSITIVE_INFINITY),
    usdEach: number('usdEach', 0, 0),
    secrets: secrets.flatMap((s) => [s, encodeURIComponent(s)]),
  };
}

/** Parses the operator's file: `{"relays": […]}`. Secrets come from the environment by name (`${NAME}`), in headers or in the URL. */
export function parseRelays(text: string, environment: Environment): readonly Relay[] {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    throw new SettingError(`SIGHTLINE_RELAYS: the file is not JSON: ${(error as Error).message}`);
  }
  const list = objectOf(root)?.relays;
  if (!Array.isArray(list)) throw new SettingError('SIGHTLINE_RELAYS: /relays must be a list');
  const relays = list.map((one, i) => {
    const fields = objectOf(one);
    if (!fields) throw new SettingError(`SIGHTLINE_RELAYS: /relays/${i} must be an object`);
    return readRelay(fields, `/relays/${i}`, environment);
  });
  const twice = relays.find((r, i) => relays.findIndex((o) => o.id === r.id) !== i);
  if (twice) throw new SettingError(`SIGHTLINE_RELAYS: the name of ${twice.id} is given twice`);
  return relays;
}
