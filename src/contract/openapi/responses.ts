import type { DescribedParameter } from '../account/define.ts';
import { codeOf, ERRORS, type ErrorName } from '../errors.ts';
import examples from './examples.json' with { type: 'json' };
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

/** An error response: its status, the name of its component, its description, and its headers other than X-Request-Id. */
const errorAnswer = (status: number, name: string, description: string, headers: readonly string[] = []) =>
  ({ status, name, description, headers }) as const;
export const ERROR_ANSWERS = [
  errorAnswer(400, 'InvalidRequest', 'Invalid request. Free.', METERED),
  errorAnswer(401, 'Unauthorized', 'No credentials, or none that are valid.', ['WWW-Authenticate']),
  errorAnswer(402, 'InsufficientCredits', 'The balance, a cap on the key, or `X-Max-Credits` does not cover the price.', METERED),
  errorAnswer(403, 'Forbidden', 'The key may not use this operation, or not from this address; or the token lacks the scope.', [
    ...METERED,
    'WWW-Authenticate',
  ]),
  errorAnswer(404, 'NotFound', 'The platform states that the thing does not exist for the public; the message says why. Free.', [
    ...METERED,
    'Cache-Control',
    'Age',
    'Cache-Status',
  ]),
  errorAnswer(405, 'MethodNotAllowed', 'Method not allowed; `Allow` lists the allowed ones.', ['Allow']),
  errorAnswer(413, 'PayloadTooLarge', 'Requests carry no body.'),
  errorAnswer(414, 'UriTooLong', 'The URL is longer than 8 kB.'),
  errorAnswer(415, 'UnsupportedMediaType', 'The request has a content coding; `Accept-Encoding` names what is taken.', ['Accept-Encoding']),
  errorAnswer(429, 'RateLimited', 'Too many requests.', [...METERED, 'Retry-After']),
  errorAnswer(431, 'HeadersTooLarge', 'The headers are larger than 32 kB.'),
  errorAnswer(500, 'InternalError', 'A defect of the service. Free.', METERED),
  errorAnswer(
    501,
    'NotImplemented',
    'No source is configured for this operation, or the request has an unknown transfer coding. Never charged.',
    METERED,
  ),
  errorAnswer(
    502,
    'UpstreamFailed',
    'The source failed, was unreachable, blocked or limited the request, or answered in an unknown form. Free.',
    [...METERED, 'Retry-After', 'Cache-Status'],
  ),
  errorAnswer(503, 'Unavailable', 'Overloaded, shutting down, or the store is unavailable. Free.', ['Retry-After']),
  errorAnswer(504, 'NotCached', '`only-if-cached` was requested, and no cached answer is fresh enough. Free.', METERED),
  errorAnswer(505, 'HttpVersion', 'The request has another HTTP version than 1.1 or 1.0.'),
];

const codesOf = (status: number): readonly ErrorName[] =>
  (Object.keys(ERRORS) as ErrorName[]).filter((name) => ERRORS[name].status === status);

/** `components.responses`: one for each error status, with an example for each code. */
export function errorComponents(): JsonObject {
  const entries = ERROR_ANSWERS.map(({ status, name, description, headers }) => [
    name,
    {
      description: `${description} Codes: ${[...new Set(codesOf(status).map(codeOf))].map((code) => `\`${code}\``).join(', ')}.`,
      headers: headerRefs(['X-Request-Id', ...headers.filter((h) => h !== 'X-Request-Id')]),
      content: {
        'application/json': {
          schema: reference('Error'),
          examples: Object.fromEntries(
            codesOf(status).map((code) => [
              codeOf(code),
              { summary: ERRORS[code].words, value: { error: { code: codeOf(code), message: ERRORS[code].words } } },
            ]),
          ),
        },
      },
    },
  ]);
  return Object.fromEntries(entries);
}

/** References to the error responses of an operation; by default to all. */
export const errorResponses = (statuses?: readonly number[]): JsonObject =>
  Object.fromEntries(
    ERROR_ANSWERS.filter((a) => !statuses || statuses.includes(a.status)).map((a) => [
      String(a.status),
      { $ref: `#/components/responses/${a.name}` },
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

export type Example = keyof typeof examples;
interface Success {
  readonly description: string;
  readonly schema: string;
  readonly headers: readonly string[];
  readonly example?: Example | undefined;
  readonly csv?: string | undefined;
}
export const success = ({ description, schema, headers, example, csv }: Success): JsonObject => ({
  description,
  headers: headerRefs(headers),
  content: {
    'application/json': { schema: reference(schema), ...(example !== undefined && { example: examples[example] }) },
    ...(csv !== undefined && { 'text/csv': { schema: { type: 'string' }, example: csv } }),
  },
});
/** A GET without credentials. `headers`: those of its 200 beside `X-Request-Id`. */
export const openGet = (
  tag: string,
  operationId: string,
  summary: string,
  description: string,
  { headers, ...answer }: Omit<Success, 'csv'>,
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
