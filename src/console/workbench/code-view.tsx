import { useSignal } from '@preact/signals';
import { apiKey } from '../app/session.ts';
import { Choices, Note } from '../parts/card.tsx';
import { Check } from '../parts/controls.tsx';
import { CopyButton } from '../parts/copy.tsx';
import type { Answer } from './answer.ts';
import { givenOf } from './request.ts';
import { SNIPPETS } from './snippets.ts';

/** The request of an answer as code. The key is a variable of the environment unless it is shown. */
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
