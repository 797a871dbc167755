import type { Static, TSchema, TUnsafe } from 'typebox';
import { Check } from 'typebox/schema';
import type { JsonObject } from '../../contract/json-object.ts';
import { OPERATIONS, type OperationId, operationOf } from '../../contract/operations/index.ts';
import { amount, count, list, mapOf, matching, oneOf, text } from '../../contract/schema.ts';
import { readJsonText } from '../../runtime/json-text.ts';
import { SettingError } from '../../settings.ts';
import { READERS, readerOf } from '../index.ts';
import { objectOf } from '../untyped-json.ts';
import { hasKnownForm, INPUTS, inputNameOf, inputsOf, mapTexts, NEXT, type RequestForm } from './request.ts';

/** How the provider's JSON becomes the resource: by the reader of a platform's answers, or by expressions of JSONata. */
export type Reading =
  | { readonly by: 'reader'; readonly reader: string; readonly pointer: readonly string[] }
  | {
      readonly by: 'map';
      readonly map: string;
      /** Evaluated on every page: the cursor of the next one. Null: one page. */
      readonly next: string | null;
      readonly maxPages: number;
      readonly absentWhen: string | null;
      /** Null: an empty list is an answer. Otherwise it is one only where the provider states that there is nothing. */
      readonly nothingWhen: string | null;
      readonly failures: readonly Failure[];
    };

/** What a failure of the provider means; it is told by the status, or by an answer with status 200. */
export const MEANINGS = ['credentials', 'allowance', 'limited', 'blocked', 'failed', 'request'] as const;
export type Meaning = (typeof MEANINGS)[number];
/** `when`: an expression that is true for an answer of status 2xx; `status`: of an answer that is none. */
export interface Failure {
  readonly means: Meaning;
  readonly when?: string | readonly string[];
  readonly status?: number;
}

/** One data provider of the operator's file, with secrets inserted. */
export interface Relay extends RequestForm, Omit<Common, 'url' | 'body'> {
  readonly id: string;
  readonly reading: Reading;
  readonly secrets: readonly string[];
}

/** An expression, which may be written in several lines. */
const EXPRESSION = Object.assign({} as TUnsafe<string | string[]>, {
  anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
  description: 'must be a text or a list of texts',
});
const atLeast = (minimum: number) => amount(`must be a number of at least ${minimum}`, { minimum });

/** The fields of a relay; a description says what a value must be. Docs: docs/relay.md. */
const COMMON = {
  name: matching('^[a-z0-9][a-z0-9-]{0,39}$', 'must be 1 to 40 small letters, digits and hyphens'),
  method: oneOf(['GET', 'POST'], 'must be GET or POST'),
  url: text('must be an https URL in which {url}, {id} and the like stand for the input'),
  headers: mapOf(text(''), 'must be an object of header names and texts'),
  body: {} as TUnsafe<unknown>,
  place: oneOf(['first', 'last'], 'must be "first" (asked before the other sources) or "last"'),
  absentStatuses: list(count('', { minimum: 400, maximum: 499 }), 'must be a list of statuses from 400 to 499'),
  everyMs: atLeast(0),
  maxBytes: atLeast(1_000),
  maxRequestsPerDay: atLeast(1),
  maxUsdPerDay: atLeast(0),
  usdEach: atLeast(0),
};
const isFailure = (value: unknown): boolean => {
  const { means, when, status, ...others } = objectOf(value) ?? {};
  const isMeaning = (MEANINGS as readonly unknown[]).includes(means);
  return isMeaning && (when === undefined) !== (status === undefined) && Object.keys(others).length === 0;
};
const FAILURES = Object.assign(list({} as TUnsafe<Failure>, ''), {
  description: `must be a list of {"means": ${MEANINGS.map((m) => `"${m}"`).join(' | ')}, and "status" or "when"}`,
});
const BY_READER = {
  reader: oneOf(Object.keys(READERS), `must be one of ${Object.keys(READERS).join(', ')}; or give operation and map`),
  pointer: matching('^(/([^/~]|~[01])*)*$', 'must be a JSON pointer such as /data/0, or "" for the whole answer'),
};
const BY_MAP = {
  operation: text('must be a text'),
  map: EXPRESSION,
  next: EXPRESSION,
  maxPages: atLeast(1),
  absentWhen: EXPRESSION,
  nothingWhen: EXPRESSION,
  failures: FAILURES,
};
const ALL = { ...COMMON, ...BY_READER, ...BY_MAP };
const REQUIRED: readonly string[] = ['name', 'url', 'reader', 'operation', 'map'];

type ValuesOf<Schemas extends Record<string, TSchema>> = { readonly [Name in keyof Schemas]: Static<Schemas[Name]> };
type Common = ValuesOf<typeof COMMON>;
type Fields = Common & Partial<ValuesOf<typeof BY_READER> & ValuesOf<typeof BY_MAP>>;

const DEFAULTS: Omit<Common, 'name' | 'url'> = {
  method: 'GET',
  headers: {},
  body: null,
  place: 'first',
  absentStatuses: [],
  everyMs: 200,
  maxBytes: 8_000_000,
  maxRequestsPerDay: 1_000,
  maxUsdPerDay: Number.POSITIVE_INFINITY,
  usdEach: 0,
};

export type Environment = Readonly<Record<string, string | undefined>>;
type Fail = (field: string, why: string) => never;

function checkedFields(given: JsonObject, fail: Fail): Fields {
  const own: object = 'map' in given ? { ...COMMON, ...BY_MAP } : { ...COMMON, ...BY_READER };
  for (const field of Object.keys(given)) {
    if (!Object.hasOwn(ALL, field)) fail(field, `is not known: a relay has ${Object.keys(ALL).join(', ')}`);
    if (!Object.hasOwn(own, field))
      fail(field, 'map' in given ? 'does not go with map: an expression names its places itself' : 'belongs to a relay with map');
  }
  for (const [field, schema] of Object.entries<TSchema & { readonly description?: string }>(ALL))
    if (Object.hasOwn(own, field) && (Object.hasOwn(given, field) || REQUIRED.includes(field)) && !Check(schema, given[field]))
      fail(field, schema.description ?? '');
  const { failures } = given;
  if (Array.isArray(failures) && !failures.every(isFailure)) fail('failures', FAILURES.description);
  return { ...DEFAULTS, ...(given as Partial<Fields> & Pick<Fields, 'name' | 'url'>) };
}

/** An expression that is written in several lines, as one text. */
export const joinedExpression = (lines: string | readonly string[] | undefined): string | undefined => lines && [lines].flat().join('\n');

function readReading(fields: Fields, fail: Fail): { operation: OperationId; reading: Reading } {
  const { reader = '', pointer = '', maxPages = 10 } = fields;
  const [map, next, absentWhen, nothingWhen] = [fields.map, fields.next, fields.absentWhen, fields.nothingWhen].map(joinedExpression);
  if (map === undefined) {
    const steps = pointer.split('/').slice(1);
    const by = { by: 'reader', reader, pointer: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) } as const;
    return { operation: (readerOf(reader) ?? fail('reader', 'is not known')).operation, reading: by };
  }
  const { id } = operationOf(fields.operation ?? '') ?? fail('operation', `must be one of ${Object.keys(OPERATIONS).join(', ')}`);
  if (next === undefined && fields.maxPages !== undefined) fail('maxPages', 'belongs to a relay with next');
  const { failures = [] } = fields;
  const rest = { absentWhen: absentWhen ?? null, nothingWhen: nothingWhen ?? null, failures };
  return { operation: id, reading: { by: 'map', map, next: next ?? null, maxPages, ...rest } };
}

/** `place`: what the message of a mistake begins with. */
export function readRelay(given: JsonObject, place: string, environment: Environment): Relay {
  const fail: Fail = (field, why) => {
    throw new SettingError(`${place}/${field} ${why}`);
  };
  const fields = checkedFields(given, fail);
  const { operation, reading } = readReading(fields, fail);
  if (fields.body !== null && fields.method !== 'POST') fail('body', 'belongs to a relay with "method": "POST"');

  const secrets: string[] = [];
  const fill = (field: string, text: string): string =>
    text.replace(/\$\{(\w*)\}/g, (_, name: string) => {
      const secret = environment[name];
      if (!secret) return fail(field, `names the environment variable ${name || '""'}, which is not set`);
      secrets.push(secret);
      return secret;
    });
  const known = [...inputsOf(operation), ...(reading.by === 'map' && reading.next !== null ? [NEXT] : [])];
  const demandInput = (field: string, input: string): void => {
    if (!known.includes(inputNameOf(input)) || !hasKnownForm(input))
      fail(field, `holds {${input}}, but the operation ${operation} knows ${known.map((k) => `{${k}}`).join(', ')}`);
  };
  const url = fields.url.split(/(?<!\$)(\{[\w.]*\})/).map((piece) => {
    const input = /^\{([\w.]*)\}$/.exec(piece)?.[1];
    if (input === undefined) return fill('url', piece);
    demandInput('url', input);
    return { input };
  });
  const [origin] = url;
  const sample = url.map((piece) => (typeof piece === 'string' ? piece : 'x')).join('');
  if (typeof origin !== 'string' || !/^https?:\/\/[^/?#]+[/?#]/.test(origin) || !URL.canParse(sample))
    fail('url', 'must name its host in full, as in https://api.example/: no input may stand in it');
  const body = mapTexts(fields.body, (text) => {
    for (const [, input = ''] of text.matchAll(INPUTS)) demandInput('body', input);
    return fill('body', text);
  });
  const headers = Object.entries(fields.headers).map(([header, value]) => {
    const filled = fill(`headers/${header}`, value);
    if (!/^[\w-]+$/.test(header) || /[\r\n]/.test(filled)) fail(`headers/${header}`, 'must be a header with a text of one line');
    return [header.toLowerCase(), filled];
  });
  return {
    ...fields,
    id: `relay/${fields.name}`,
    operation,
    reading,
    url,
    body,
    headers: Object.fromEntries(headers),
    secrets: secrets.flatMap((s) => [s, encodeURIComponent(s)]),
  };
}

/** Parses the operator's file: `{"relays": […]}`. Secrets come from the environment by name (`${NAME}`), in headers or in the URL. */
export function parseRelays(text: string, environment: Environment, file = 'SIGHTLINE_RELAYS'): readonly Relay[] {
  let root: unknown;
  try {
    root = readJsonText(text);
  } catch (error) {
    throw new SettingError(`${file}: the file is not JSON: ${(error as Error).message}`);
  }
  const relays = objectOf(root)?.relays;
  if (!Array.isArray(relays)) throw new SettingError(`${file}: /relays must be a list`);
  const ids = new Set<string>();
  return relays.map((one, i) => {
    const fields = objectOf(one);
    if (!fields) throw new SettingError(`${file}: /relays/${i} must be an object`);
    const relay = readRelay(fields, `${file}: /relays/${i}`, environment);
    if (ids.has(relay.id)) throw new SettingError(`${file}: the name of ${relay.id} is given twice`);
    ids.add(relay.id);
    return relay;
  });
}
