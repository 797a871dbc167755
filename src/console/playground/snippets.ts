import { METHODS } from '../../client/methods.ts';
import type { OperationView } from '../../contract/contract-view.ts';
import { givenOf, pathOf, type Values } from './request.ts';

export interface SnippetRequest {
  readonly operation: OperationView;
  readonly values: Values;
  /** Optional request headers. */
  readonly headers: Values;
  /** Address of the service, without trailing slash. */
  readonly baseUrl: string;
  /** The key; null: taken from the environment variable SIGHTLINE_API_KEY. */
  readonly apiKey: string | null;
}
export interface Snippet {
  readonly language: string;
  readonly code: string;
}

const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A string literal of JavaScript; single quotes where that is possible. */
const scriptText = (text: string): string => (/['\\\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : `'${text}'`);
/** JSON strings are string literals of Python too, save for lone surrogates, which no parameter has. */
const pythonText = (text: string): string => JSON.stringify(text);

function curl({ operation, values, headers, baseUrl, apiKey }: SnippetRequest): string {
  const key = apiKey === null ? '"X-API-Key: $SIGHTLINE_API_KEY"' : shellText(`X-API-Key: ${apiKey}`);
  const more = Object.entries(headers).map(([name, value]) => ` \\\n  -H ${shellText(`${name}: ${value}`)}`);
  return `curl -sS -H ${key}${more.join('')} \\\n  ${shellText(baseUrl + pathOf(operation, values))}`;
}

interface Method {
  readonly id: string;
  /** Names in the URL of input fields that are called otherwise. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** The client's method for an operation, such as `forum.comments`, and its names of fields. */
function methodOf(operation: string): { readonly name: string; readonly fieldOf: (parameter: string) => string } {
  for (const [area, methods] of Object.entries(METHODS))
    for (const [name, { id, renamed = {} }] of Object.entries<Method>(methods))
      if (id === operation)
        return { name: `${area}.${name}`, fieldOf: (parameter) => Object.keys(renamed).find((f) => renamed[f] === parameter) ?? parameter };
  throw new TypeError(`The client has no method for ${operation}.`);
}

/** The input of the client's method. Whole numbers are numbers there. */
function inputOf({ operation, values }: SnippetRequest, fieldOf: (parameter: string) => string): string {
  const given = givenOf(operation, values);
  const fields = operation.parameters.flatMap((p) => {
    const text = given[p.name];
    if (text === undefined) return [];
    const value = p.schema.type === 'integer' && /^\d+$/.test(text) ? String(Number(text)) : scriptText(text);
    return [`${fieldOf(p.name)}: ${value}`];
  });
  return fields.length ? `{ ${fields.join(', ')} }` : '{}';
}

function typescript(request: SnippetRequest): string {
  const { headers, baseUrl, apiKey } = request;
  const { name, fieldOf } = methodOf(request.operation.id);
  const key = apiKey === null ? 'process.env.SIGHTLINE_API_KEY' : scriptText(apiKey);
  const more = Object.keys(headers).length
    ? `\n  headers: { ${Object.entries(headers)
        .map(([name, value]) => `${scriptText(name)}: ${scriptText(value)}`)
        .join(', ')} },`
    : '';
  return `import { Sightline } from 'sightline/client';

const sightline = new Sightline({
  baseUrl: ${scriptText(baseUrl)},
  apiKey: ${key},${more}
});
const answer = await sightline.${name}(${inputOf(request, fieldOf)});
process.stdout.write(JSON.stringify(answer));`;
}

function python({ operation, values, headers, baseUrl, apiKey }: SnippetRequest): string {
  const key = apiKey === null ? 'os.environ["SIGHTLINE_API_KEY"]' : pythonText(apiKey);
  const more = Object.entries(headers).map(([name, value]) => `, ${pythonText(name)}: ${pythonText(value)}`);
  return `import os, sys, urllib.request

request = urllib.request.Request(
    ${pythonText(baseUrl + pathOf(operation, values))},
    headers={"X-API-Key": ${key}${more.join('')}},
)
with urllib.request.urlopen(request) as answer:
    sys.stdout.buffer.write(answer.read())`;
}

/** The request as programs that print the body of the answer. */
export const snippetsOf = (request: SnippetRequest): readonly Snippet[] => [
  { language: 'curl', code: curl(request) },
  { language: 'TypeScript', code: typescript(request) },
  { language: 'Python', code: python(request) },
];
