import { useSignal } from '@preact/signals';
import { apiKey } from '../app/session.ts';
import { CopyButton } from '../parts/copy.tsx';
import type { Answer } from './answer.ts';
import { snippetsOf } from './snippets.ts';

/** The request of an answer as code. The key is a variable of the environment unless it is shown. */
export function CodeView({ answer }: { answer: Answer }) {
  const keyShown = useSignal(false);
  const snippets = snippetsOf({
    operation: answer.operation,
    values: answer.values,
    headers: answer.headers,
    baseUrl: location.origin,
    apiKey: keyShown.value ? apiKey.value : null,
  });
  return (
    <section class="code" aria-label="Code for this request">
      <p class="small">
        {apiKey.value === null ? (
          'The code reads the key from the environment variable SIGHTLINE_API_KEY.'
        ) : (
          <label>
            <input
              type="checkbox"
              checked={keyShown.value}
              onChange={(e) => {
                keyShown.value = e.currentTarget.checked;
              }}
            />{' '}
            Show the API key
          </label>
        )}
      </p>
      {snippets.map(({ language, code }) => (
        <section key={language}>
          <header>
            <h3>{language}</h3>
            <CopyButton text={() => code} />
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre data-language={language} tabIndex={0}>
            <code>{code}</code>
          </pre>
        </section>
      ))}
    </section>
  );
}
