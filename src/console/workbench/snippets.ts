import { METHODS } from '../../client/methods.ts';
import type { Paging } from '../../client/pages.ts';

interface Method extends Partial<Paging> {
  readonly id: string;
  readonly renamed?: Readonly<Record<string, string>>;
}

/** The typed client's method for an operation, named such as `forum.comments`. */
export function methodOf(operation: string): Method & { readonly name: string } {
  for (const [area, methods] of Object.entries(METHODS))
    for (const [name, method] of Object.entries<Method>(methods))
      if (method.id === operation) return { ...method, name: `${area}.${name}` };
  throw new TypeError(`The client has no method for ${operation}.`);
}

/** A lookup that is shown as code. */
export interface SnippetRequest {
  /** Id of the operation. */
  readonly operation: string;
  readonly baseUrl: string;
  /** Path with its query. */
  readonly path: string;
  /** The parameters that are stated, by the names of the contract. */
  readonly input: readonly (readonly [name: string, value: string | number])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The key; null: taken from the environment variable SIGHTLINE_API_KEY. */
  readonly apiKey: string | null;
}

const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A string literal of JavaScript; single quotes where that is possible. */
const scriptText = (text: string): string => (/['\\\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : `'${text}'`);
/** JSON strings are string literals of Python too, save for lone surrogates, which no parameter has. */
const pythonText = (text: string): string => JSON.stringify(text);

function curl({ path, headers, baseUrl, apiKey }: SnippetRequest): string {
  const key = apiKey === null ? '"X-API-Key: $SIGHTLINE_API_KEY"' : shellText(`X-API-Key: ${apiKey}`);
  const more = Object.entries(headers).map(([name, value]) => ` \\\n  -H ${shellText(`${name}: ${value}`)}`);
  return `curl -sS -H ${key}${more.join('')} \\\n  ${shellText(baseUrl + path)}`;
}

function TypeScript(request: SnippetRequest): string {
  const { name: method, renamed = {} } = methodOf(request.operation);
  const fields = request.input.map(([name, value]) => {
    const field = Object.keys(renamed).find((each) => renamed[each] === name) ?? name;
    return `${field}: ${typeof value === 'number' ? value : scriptText(value)}`;
  });
  const key = request.apiKey === null ? 'process.env.SIGHTLINE_API_KEY' : scriptText(request.apiKey);
  const headers = Object.entries(request.headers).map(([name, value]) => `${scriptText(name)}: ${scriptText(value)}`);
  return `import { Sightline } from 'sightline/client';

const sightline = new Sightline({
  baseUrl: ${scriptText(request.baseUrl)},
  apiKey: ${key},${headers.length ? `\n  headers: { ${headers.join(', ')} },` : ''}
});
const answer = await sightline.${method}({ ${fields.join(', ')} });
process.stdout.write(JSON.stringify(answer));`;
}

function Python({ path, headers, baseUrl, apiKey }: SnippetRequest): string {
  const key = apiKey === null ? 'os.environ["SIGHTLINE_API_KEY"]' : pythonText(apiKey);
  const more = Object.entries(headers).map(([name, value]) => `, ${pythonText(name)}: ${pythonText(value)}`);
  return `import os, sys, urllib.request

request = urllib.request.Request(
    ${pythonText(baseUrl + path)},
    headers={"X-API-Key": ${key}${more.join('')}},
)
with urllib.request.urlopen(request) as answer:
    sys.stdout.buffer.write(answer.read())`;
}

const MCP = ({ operation, input }: SnippetRequest): string =>
  JSON.stringify({ name: operation.replaceAll('-', '_'), arguments: Object.fromEntries(input) }, null, 2);

/** A lookup as code, by the name of the language. */
export const SNIPPETS: Readonly<Record<string, (request: SnippetRequest) => string>> = { curl, TypeScript, Python, MCP };
