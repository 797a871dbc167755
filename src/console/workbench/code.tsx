import { useSignal } from '@preact/signals';
import { METHODS } from '../../client/methods.ts';
import { cursorOf, entriesOf, type Paging } from '../../client/pages.ts';
import { workbenchAt } from '../app/operations.ts';
import { go } from '../app/place.ts';
import { api, apiKey, credits } from '../app/session.ts';
import { Button, Check, Chip, Choices, CopyButton, download } from '../parts/controls.tsx';
import { Note } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { wordsOf } from '../parts/page.tsx';
import { type Answer, run } from './answer.ts';
import { creditsText, type Form, givenOf, pathOf, quoteOf, statedOf } from './request.ts';

interface Method extends Partial<Paging> {
  readonly id: string;
  readonly renamed?: Readonly<Record<string, string>>;
}

/** The typed client's method for an operation, named such as `forum.comments`. */
function methodOf(operation: string): Method & { readonly name: string } {
  for (const [area, methods] of Object.entries(METHODS))
    for (const [name, method] of Object.entries<Method>(methods))
      if (method.id === operation) return { ...method, name: `${area}.${name}` };
  throw new TypeError(`The client has no method for ${operation}.`);
}

interface SnippetRequest extends Form {
  readonly baseUrl: string;
  /** The key; null: taken from the environment variable SIGHTLINE_API_KEY. */
  readonly apiKey: string | null;
}

const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A string literal of JavaScript; single quotes where that is possible. */
const scriptText = (text: string): string => (/['\\\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : `'${text}'`);
/** JSON strings are string literals of Python too, save for lone surrogates, which no parameter has. */
const pythonText = (text: string): string => JSON.stringify(text);

const inputOf = ({ operation, values }: Form): readonly (readonly [name: string, value: string | number])[] =>
  statedOf(operation, values).map(([p, text]) => [p.name, p.schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text]);

function curl({ operation, values, headers, baseUrl, apiKey }: SnippetRequest): string {
  const key = apiKey === null ? '"X-API-Key: $SIGHTLINE_API_KEY"' : shellText(`X-API-Key: ${apiKey}`);
  const more = Object.entries(headers).map(([name, value]) => ` \\\n  -H ${shellText(`${name}: ${value}`)}`);
  return `curl -sS -H ${key}${more.join('')} \\\n  ${shellText(baseUrl + pathOf(operation, values))}`;
}

function TypeScript(request: SnippetRequest): string {
  const { name: method, renamed = {} } = methodOf(request.operation.id);
  const fields = inputOf(request).map(([name, value]) => {
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

function Python({ operation, values, headers, baseUrl, apiKey }: SnippetRequest): string {
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

const MCP = (request: SnippetRequest): string =>
  JSON.stringify({ name: request.operation.id.replaceAll('-', '_'), arguments: Object.fromEntries(inputOf(request)) }, null, 2);

const SNIPPETS: Readonly<Record<string, (request: SnippetRequest) => string>> = { curl, TypeScript, Python, MCP };

export function CodeView({ shown }: { shown: Answer }) {
  const keyShown = useSignal(false);
  const language = useSignal('curl');
  const { operation, headers } = shown;
  const values = givenOf(operation, shown.values);
  const key = keyShown.value ? apiKey.value : null;
  const code = SNIPPETS[language.value]?.({ operation, values, headers, baseUrl: location.origin, apiKey: key }) ?? '';
  const defaults = operation.parameters.filter((p) => p.default !== null && !values[p.name]);
  return (
    <section class="code stack" aria-label="Code for this request">
      <div class="actions">
        <Choices
          legend="Language"
          choices={Object.keys(SNIPPETS).map((name) => [name, name] as const)}
          value={language.value}
          choose={(chosen) => (language.value = chosen)}
        />
        {apiKey.value !== null && <Check text="Show my key" isOn={keyShown.value} set={(isOn) => (keyShown.value = isOn)} />}
        <CopyButton text={() => code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre class="box" data-language={language.value} tabIndex={0}>
        <code>{code}</code>
      </pre>
      {apiKey.value === null && <Note>The code reads the key from the environment variable SIGHTLINE_API_KEY.</Note>}
      {defaults.length > 0 && <Note>Defaults are left out: {defaults.map((p) => `${p.name} ${p.default}`).join(', ')}.</Note>}
    </section>
  );
}

interface Page extends Readonly<Record<string, unknown>> {
  readonly pagination?: { readonly currentPage: number | null; readonly totalPages: number | null };
}

/** The next page with its price, and all of them: read as the typed client does, and saved as one file. Nothing on the last page. */
export function PagesLine({ shown: { operation, values, body } }: { shown: Answer }) {
  const said = useSignal<string | null>(null);
  const stop = useSignal<AbortController | null>(null);
  const { items, next } = methodOf(operation.id);
  if (!items || !next) return null;
  const paging = { items, next };
  const first = values[next] || (next === 'page' ? '1' : '');
  const page = body as Page;
  const following = cursorOf(page, paging, first);
  if (following === null) return null;
  const at = (cursor: string) => ({ ...values, [next]: cursor });
  const { price: quoted } = quoteOf(operation, at(following));
  const price = quoted ? quoted.charge : Number(/^\d+/.exec(operation.price)?.[0] ?? 1);
  const { totalPages, currentPage } = page.pagination ?? {};
  const left = totalPages && currentPage ? totalPages - currentPage : null;
  const read = async (): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    stop.value = controller;
    const lines: string[] = [];
    try {
      const ask = (cursor: string) => api(pathOf(operation, at(cursor)), { signal });
      for await (const entry of entriesOf(paging, first, Number.POSITIVE_INFINITY, ask)) {
        lines.push(JSON.stringify(entry));
        said.value = `${plural(lines.length, 'entry', 'entries')} read`;
      }
    } catch (error) {
      said.value = signal.aborted ? 'Stopped.' : wordsOf(error);
    }
    stop.value = null;
    if (lines.length) download(`${operation.id}-all.ndjson`, 'application/x-ndjson', `${lines.join('\n')}\n`);
  };
  return (
    <p class="actions pages">
      <Button
        icon="right"
        text={`${next === 'page' ? `Page ${following}` : 'Next page'} · ${creditsText(price)}`}
        onClick={() => {
          go(workbenchAt(operation.id, at(following)));
          void run(price);
        }}
      />
      <Chip value="All pages">
        {() => (
          <div class="stack">
            <p>
              Reads this page and {left === null ? 'all that follow' : `${plural(left, 'page')} more`}, and saves every entry as one file.{' '}
              {left === null ? `Each page costs ${plural(price, 'credit')} at most.` : `Costs ${plural(left * price, 'credit')} at most.`}
              {credits.value !== null && ` You have ${number(credits.value)}.`} {'Kept pages are free.'}
            </p>
            {stop.value ? (
              <Button icon="stop" text="Stop" onClick={() => stop.value?.abort()} />
            ) : (
              <Button icon="download" text="Read all pages" onClick={() => void read()} />
            )}
            <p role="status">{said.value}</p>
          </div>
        )}
      </Chip>
    </p>
  );
}
