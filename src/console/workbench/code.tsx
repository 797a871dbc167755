import { useSignal } from '@preact/signals';
import { cursorOf, entriesOf } from '../../client/pages.ts';
import { workbenchAt } from '../app/operations.ts';
import { go } from '../app/place.ts';
import { api, apiKey, credits } from '../app/session.ts';
import { Button, Check, Chip, Choices, CopyButton, download } from '../parts/controls.tsx';
import { Note } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { wordsOf } from '../parts/page.tsx';
import { type Answer, run } from './answer.ts';
import { creditsText, type Form, givenOf, pathOf, quoteOf, statedOf } from './request.ts';
import { methodOf, SNIPPETS, type SnippetRequest } from './snippets.ts';

const inputOf = ({ operation, values }: Form): SnippetRequest['input'] =>
  statedOf(operation, values).map(([p, text]) => [p.name, p.schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text]);

export function CodeView({ shown }: { shown: Answer }) {
  const keyShown = useSignal(false);
  const language = useSignal('curl');
  const { operation, headers } = shown;
  const values = givenOf(operation, shown.values);
  const key = keyShown.value ? apiKey.value : null;
  const request = { operation: operation.id, path: pathOf(operation, values), input: inputOf({ operation, values, headers }), headers };
  const code = SNIPPETS[language.value]?.({ ...request, baseUrl: location.origin, apiKey: key }) ?? '';
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
  const pageOf = (cursor: string) => ({ ...values, [next]: cursor });
  const { price: quoted } = quoteOf(operation, pageOf(following));
  const price = quoted ? quoted.charge : Number(/^\d+/.exec(operation.price)?.[0] ?? 1);
  const { totalPages, currentPage } = page.pagination ?? {};
  const left = totalPages && currentPage ? totalPages - currentPage : null;
  const read = async (): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    stop.value = controller;
    const lines: string[] = [];
    try {
      const ask = (cursor: string) => api(pathOf(operation, pageOf(cursor)), { signal });
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
          go(workbenchAt(operation.id, pageOf(following)));
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
