import { OPERATIONS, type OperationId, operationOf } from '../../contract/operations/index.ts';
import { SettingError } from '../../settings.ts';
import { READERS, readerOf } from '../readers.ts';
import { type JsonObject, numberIn, objectOf } from '../untyped-json.ts';
import { readPointer } from './pointer.ts';

/** How the provider's JSON becomes the resource: by the reader of a platform's answers, or by expressions of JSONata. */
export type Reading =
  | { readonly by: 'reader'; readonly reader: string; readonly pointer: readonly string[] }
  | {
      readonly by: 'map';
      readonly map: string;
      /** The cursor of the next page; null: one page. */
      readonly next: string | null;
      readonly maxPages: number;
      readonly absentWhen: string | null;
    };

/** One data provider of the operator's file, with secrets inserted. */
export interface Relay {
  /** `relay/<name>`, shown as X-Data-Source. */
  readonly id: string;
  readonly operation: OperationId;
  readonly reading: Reading;
  readonly method: 'GET' | 'POST';
  /** Parts of the URL: literal text, or the name of an input that is inserted percent-encoded. */
  readonly url: readonly (string | { readonly input: string })[];
  /** JSON with `{input}` in its texts; null: no body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
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
  'pointer',
  'operation',
  'map',
  'next',
  'maxPages',
  'absentWhen',
  'method',
  'url',
  'headers',
  'body',
  'place',
  'absentStatuses',
  'everyMs',
  'maxBytes',
  'maxRequestsPerDay',
  'maxUsdPerDay',
  'usdEach',
]);

/** The input that stands for the cursor of the next page. */
export const NEXT = 'next';
/** `{name}` in a text, but not `${NAME}`. */
export const INPUTS = /(?<!\$)\{(\w*)\}/g;

/** A copy of JSON with other texts. */
export function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  const fields = objectOf(value);
  return fields ? Object.fromEntries(Object.entries(fields).map(([name, entry]) => [name, mapTexts(entry, change)])) : value;
}

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
  const expression = (field: string): string | null => {
    if (fields[field] === undefined) return null;
    // an expression may be written in several lines
    const text = [fields[field]].flat();
    return text.length > 0 && text.every((line) => typeof line === 'string')
      ? text.join('\n')
      : fail(field, 'must be a text or a list of texts');
  };
  function readReading(): { operation: OperationId; reading: Reading } {
    const map = expression('map');
    if (map === null) {
      const stray = ['operation', 'next', 'maxPages', 'absentWhen'].find((field) => fields[field] !== undefined);
      if (stray !== undefined) return fail(stray, 'belongs to a relay with map');
      const entry = typeof fields.reader === 'string' ? readerOf(fields.reader) : undefined;
      if (!entry) return fail('reader', `must be one of ${Object.keys(READERS).join(', ')}; or give operation and map`);
      const pointer = fields.pointer === undefined ? [] : typeof fields.pointer === 'string' ? readPointer(fields.pointer) : null;
      if (!pointer) return fail('pointer', 'must be a JSON pointer such as /data/0, or "" for the whole answer');
      return { operation: entry.operation, reading: { by: 'reader', reader: String(fields.reader), pointer } };
    }
    const stray = ['reader', 'pointer'].find((field) => fields[field] !== undefined);
    if (stray !== undefined) return fail(stray, 'does not go with map: an expression names its places itself');
    const operation = typeof fields.operation === 'string' ? operationOf(fields.operation) : undefined;
    if (!operation) return fail('operation', `must be one of ${Object.keys(OPERATIONS).join(', ')}`);
    const next = expression('next');
    if (next === null && fields.maxPages !== undefined) return fail('maxPages', 'belongs to a relay with next');
    const maxPages = number('maxPages', 1, 10);
    return { operation: operation.id, reading: { by: 'map', map, next, maxPages, absentWhen: expression('absentWhen') } };
  }
  const { operation, reading } = readReading();
  const method = fields.method ?? 'GET';
  if (method !== 'GET' && method !== 'POST') return fail('method', 'must be GET or POST');
  if (fields.body !== undefined && method === 'GET') return fail('body', 'belongs to a relay with "method": "POST"');
  const wanted = fields.place ?? 'first';
  if (wanted !== 'first' && wanted !== 'last') return fail('place', 'must be "first" (asked before the other sources) or "last"');
  const absent = fields.absentStatuses ?? [];
  if (!Array.isArray(absent) || !absent.every((s) => Number.isInteger(s) && s >= 400 && s < 500))
    return fail('absentStatuses', 'must be a list of statuses from 400 to 499');

  if (typeof fields.url !== 'string') return fail('url', 'must be an https URL in which {url}, {id} and the like stand for the input');
  const known = OPERATIONS[operation].parameters.flatMap((p) => [p.field, ...(p.parts?.names ?? [])]);
  if (reading.by === 'map' && reading.next !== null) known.push(NEXT);
  const checkInput = (field: string, input: string): void => {
    if (!known.includes(input))
      fail(field, `holds {${input}}, but the operation ${operation} knows ${known.map((k) => `{${k}}`).join(', ')}`);
  };
  const url = fields.url.split(/(?<!\$)(\{\w*\})/).map((piece) => {
    const input = /^\{(\w*)\}$/.exec(piece)?.[1];
    if (input === undefined) return fill('url', piece);
    checkInput('url', input);
    return { input };
  });
  const body = mapTexts(fields.body ?? null, (text) => {
    for (const [, input = ''] of text.matchAll(INPUTS)) checkInput('body', input);
    return fill('body', text);
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
    operation,
    reading,
    method,
    url,
    body,
    headers,
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
