import type { DescribedParameter } from '../account/define.ts';
import { codeOf, ERRORS, type ErrorName, ServiceError } from '../errors.ts';
import { SAMPLES } from '../operations/samples.ts';
import accountExamples from './examples.json' with { type: 'json' };
import headers from './headers.json' with { type: 'json' };
import { type Json, type JsonObject, reference, schemaOf } from './schemas.ts';

/** `components.headers`: every header of a response. */
export const HEADERS: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.entries(headers).map(([name, { description, example }]) => [
    name,
    { description, schema: { type: typeof example === 'number' ? 'integer' : 'string' }, example },
  ]),
);
const headerRefs = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const METERED: readonly string[] = ['X-Request-Id', 'X-Credits-Charged', 'X-Credits-Remaining', 'RateLimit', 'RateLimit-Policy'];
export const VALIDATED = 'Cache-Control Age ETag Cache-Status Vary X-Data-Source X-Fields-Unread Server-Timing'.split(' ');

/** The headers of an error response beside `X-Request-Id`, and its description where that is more than the words of its errors. */
const STATED: Readonly<Record<number, { readonly headers: readonly string[]; readonly description?: string }>> = {
  400: { headers: METERED },
  401: { headers: ['WWW-Authenticate'] },
  402: {
    headers: [...METERED, 'X-Cap-Remaining'],
    description: 'The balance, a cap on the key, or `X-Max-Credits` does not cover the price.',
  },
  403: {
    headers: [...METERED, 'WWW-Authenticate'],
    description: 'The key may not use this operation, or not from this address; the token lacks a scope; or another key made the watch.',
  },
  404: {
    headers: [...METERED, 'Cache-Control', 'Age', 'Cache-Status'],
    description: 'The platform states that the thing does not exist for the public; the message says why.',
  },
  405: { headers: ['Allow'], description: 'Method not allowed; `Allow` lists the allowed ones.' },
  415: { headers: ['Accept-Encoding'] },
  429: { headers: [...METERED, 'Retry-After'] },
  500: { headers: METERED },
  501: { headers: METERED },
  502: { headers: [...METERED, 'Retry-After', 'Cache-Status'] },
  503: { headers: ['Retry-After'] },
  504: { headers: METERED },
};

/** The errors of each status. The first one names the component: `InvalidRequest`. */
const BY_STATUS = [...Map.groupBy(Object.keys(ERRORS) as ErrorName[], (name) => ERRORS[name].status)];
const componentOf = ([first = '']: readonly string[]): string =>
  first.replace(/_?([A-Z])([A-Z]*)/g, (_, initial: string, rest: string) => initial + rest.toLowerCase());

/** `components.responses`: one for each error status, with an example for each code. */
export const errorComponents = (): JsonObject =>
  Object.fromEntries(
    BY_STATUS.map(([status, names]) => {
      const { headers = [], description = names.map((name) => ERRORS[name].words).join(' ') } = STATED[status] ?? {};
      const examples = Object.fromEntries(
        names.map((name) => [codeOf(name), { summary: ERRORS[name].words, value: new ServiceError(name).body }]),
      );
      const codes = Object.keys(examples).map((code) => `\`${code}\``);
      return [
        componentOf(names),
        {
          description: `${description} Free. Codes: ${codes.join(', ')}.`,
          headers: headerRefs([...new Set(['X-Request-Id', ...headers])]),
          content: { 'application/json': { schema: reference('Error'), examples } },
        },
      ];
    }),
  );

/** References to the error responses of an operation; by default to all. */
export const errorResponses = (statuses?: readonly number[]): JsonObject =>
  Object.fromEntries(
    BY_STATUS.filter(([status]) => !statuses || statuses.includes(status)).map(([status, names]) => [
      String(status),
      { $ref: `#/components/responses/${componentOf(names)}` },
    ]),
  );

export const OPEN_ERRORS = [400, 405, 413, 414, 415, 431, 500, 501, 503, 505];

export const parameterOf = (p: DescribedParameter): JsonObject => ({
  name: p.name,
  in: p.in,
  required: p.required,
  description: p.description,
  schema: { ...(schemaOf(p.schema) as JsonObject), ...(p.default !== undefined && { default: p.default as Json }) },
  example: p.example,
});

const examples = { ...SAMPLES, ...accountExamples };
export type Example = keyof typeof examples;
interface Success {
  readonly description: string;
  /** Null: there is no body. */
  readonly schema: string | null;
  readonly headers: readonly string[];
  readonly example?: Example | undefined;
  /** An example of each other media type. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}
export const success = ({ description, schema, headers, example, texts = {} }: Success): JsonObject => ({
  description,
  headers: headerRefs(headers),
  ...(schema !== null && {
    content: {
      'application/json': { schema: reference(schema), ...(example !== undefined && { example: examples[example] }) },
      ...Object.fromEntries(Object.entries(texts).map(([type, text]) => [type, { schema: { type: 'string' }, example: text }])),
    },
  }),
});
/** A GET without credentials. `headers`: those of its 200 beside `X-Request-Id`. */
export const openGet = (
  tag: string,
  operationId: string,
  summary: string,
  description: string,
  { headers, ...answer }: Omit<Success, 'texts'>,
): JsonObject => ({
  get: {
    ...{ operationId, tags: [tag], summary, description, security: [] },
    responses: { '200': success({ ...answer, headers: ['X-Request-Id', ...headers] }), ...errorResponses(OPEN_ERRORS) },
  },
});
export const notModified = (): JsonObject => ({
  description: 'The answer has not changed; charged as a 200.',
  headers: headerRefs([...METERED, 'X-Receipt', ...VALIDATED]),
});
