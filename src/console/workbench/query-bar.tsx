import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import type { OperationView, ParameterView } from '../../contract/contract-view.ts';
import { moveAlong } from '../app/keys.tsx';
import { place, setQuery } from '../app/place.ts';
import { Button, Chip, Choices } from '../parts/controls.tsx';
import { capital, nameOfCode, VALUES, words } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Problem } from '../parts/page.tsx';
import { type Answer, answer, run, running, stop } from './answer.ts';
import { CodeChoices } from './code-choices.tsx';
import { ages, askPrice, creditsText, givenOf, type Quote, quoteOf, STALE_SECONDS, setValue, understood, type Values } from './request.ts';

const LABELS: ReadonlyMap<string, string> = new Map(Object.entries({ location: 'Country', sort_by: 'Sort', depth: 'Results' }));
export const labelOf = (name: string): string => LABELS.get(name) ?? capital(words(name));
export const plain = (text: string): string => text.replaceAll('`', '');

interface ParameterProps {
  readonly parameter: ParameterView;
  readonly value: string;
  readonly wrong: string | null;
}

export const ValueInput = ({ parameter, value, wrong, ...more }: ParameterProps & JSX.IntrinsicElements['input']) => {
  const { name, example, default: usual, schema } = parameter;
  return (
    <>
      <label for={`field-${name}`}>{labelOf(name)}</label>
      <input
        id={`field-${name}`}
        name={name}
        value={value}
        autocomplete="off"
        spellcheck={false}
        inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
        placeholder={usual === null ? `for example ${example}` : String(usual)}
        aria-invalid={wrong !== null}
        onInput={(e) => void setValue(name, e.currentTarget.value)}
        {...more}
      />
    </>
  );
};

function ParameterChip({ tabIndex, ...props }: ParameterProps & { readonly tabIndex: number }) {
  const { parameter, value, wrong } = props;
  const { name, schema, description, codes } = parameter;
  const usual = String(parameter.default ?? '');
  const shown = value || usual;
  const label = labelOf(name);
  const choose = (one: string): void => void setValue(name, one === usual ? '' : one);
  const closeOnEnter = (close: () => void) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    close();
  };
  return (
    <Chip
      name={label}
      value={VALUES.get(shown) ?? (shown || 'any')}
      title={codes ? nameOfCode(shown, codes) : undefined}
      changed={shown !== usual}
      class={wrong ? 'wrong-value' : undefined}
      tabIndex={tabIndex}
    >
      {(close) => (
        <div class={schema.enum || codes ? undefined : 'field'}>
          {codes ? (
            <CodeChoices name={name} label={label} codes={codes} value={shown} choose={choose} close={close} />
          ) : schema.enum ? (
            <Choices
              isList
              legend={label}
              choices={schema.enum.map((one) => [one, VALUES.get(one) ? [VALUES.get(one), ' ', <code key="id">{one}</code>] : one])}
              value={shown}
              choose={choose}
            />
          ) : (
            <ValueInput {...props} aria-describedby={`field-${name}-about field-${name}-wrong`} onKeyDown={closeOnEnter(close)} />
          )}
          <Problem class="wrong" id={`field-${name}-wrong`} words={wrong} />
          <p id={`field-${name}-about`} class="about">
            {plain(description)}
          </p>
        </div>
      )}
    </Chip>
  );
}

const priceAt = (age: string, { charge, price }: AccountPrice): number => (age === 'kept' ? 0 : age === '' ? charge : price);

function AgeChip({ quote: { price }, tabIndex }: { quote: Quote; tabIndex: number }) {
  const { query } = place.value;
  const { all, chosen } = ages(query);
  const [age] = chosen;
  const stale = query.get('_stale') !== null;
  const choices = all.map(([value, text, directive]) => {
    const header = directive ? ` Cache-Control: ${directive}` : ' as the service keeps it';
    const about = (
      <small key="header" class="about">
        {header}
      </small>
    );
    return [value, [text, about], price && creditsText(priceAt(value, price))] as const;
  });
  const shown = /^\d/.test(age) ? `${Math.round(Number(age) / 60)} min` : age || 'any';
  return (
    <Chip name="Age" value={shown} label="Age of the answer" changed={age !== '' || stale} tabIndex={tabIndex}>
      {() => (
        <>
          <Choices isList legend="Age of the answer" choices={choices} value={age} choose={(value) => setQuery({ _age: value })} />
          <label class="option">
            <input type="checkbox" checked={stale} onChange={(e) => setQuery({ _stale: e.currentTarget.checked ? STALE_SECONDS : null })} />
            <span>
              If sources fail, up to 24 h old
              <small class="about"> stale-if-error={STALE_SECONDS}</small>
            </span>
            <small>free</small>
          </label>
          <label class="option">
            <span>At most (credits)</span>
            <input
              name="_max"
              inputMode="numeric"
              value={query.get('_max') ?? ''}
              placeholder="no limit"
              onInput={(e) => setQuery({ _max: e.currentTarget.value.replace(/\D/g, '') })}
            />
          </label>
        </>
      )}
    </Chip>
  );
}

const PAUSE_MS = 400;

/** Keys of the form, wherever the focus is: Ctrl Enter runs, Esc stops. Returns what ends them. */
function listenForRunKeys(form: HTMLFormElement): () => void {
  const listen = ({ key, ctrlKey, metaKey }: KeyboardEvent): void => {
    if (document.querySelector('dialog[open]')) return;
    if (key === 'Escape' && running.value) stop();
    else if (key === 'Enter' && (ctrlKey || metaKey)) form.requestSubmit();
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}

export function QueryBar({ operation, values }: { operation: OperationView; values: Values }) {
  const tried = useSignal(false);
  const shown = answer.value;
  const openedOver = useSignal<Answer | null>(null);
  // follows from the answer: an effect would close the form one frame after the answer is drawn
  const isOpen = shown === null || openedOver.value === shown;
  const quote = quoteOf(operation, values);
  const { entry } = place.value;
  const asked = useRef('');
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => (form.current ? listenForRunKeys(form.current) : undefined), []);
  useEffect(() => {
    // what the address asks for is asked at once, what is typed after a pause
    const pauseMs = asked.current === entry ? PAUSE_MS : 0;
    asked.current = entry;
    return askPrice(operation, values, pauseMs);
  }, [operation, values, quote, entry]);
  const first = operation.parameters.find((p) => p.required);
  if (!first) return null;
  const others = operation.parameters.filter((p) => p !== first);
  const age = place.value.query.get('_age') ?? '';
  const value = values[first.name] ?? '';
  const wrongOf = (name: string): string | null => (quote.field === name && values[name] ? quote.wrong : null);
  const missing = tried.value ? `Enter ${words(labelOf(first.name))}: ${plain(first.description)}` : null;
  const wrong = value === '' ? missing : wrongOf(first.name);
  const wrongId = `field-${first.name}-wrong`;
  const price = quote.price && priceAt(age, quote.price);
  const priceTag = price !== null && <span class="price">{creditsText(price)}</span>;
  const focus = (): void => document.getElementById(`field-${first.name}`)?.focus();
  const open = (): void => {
    openedOver.value = shown;
    focus();
    // on a phone the field is drawn only then
    requestAnimationFrame(focus);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (running.value) return;
    tried.value = true;
    // what is known to be wrong is not sent: its words stand beside the field
    void (value === '' || quote.wrong !== null ? open() : run(price));
  };
  const read = understood.value;
  const more = Object.keys(givenOf(operation, values)).length - 1;
  return (
    // what is wrong is shown beside its field, on a phone too
    <form ref={form} class={isOpen || wrong || quote.wrong ? 'query open' : 'query'} onSubmit={submit} noValidate aria-label="Lookup">
      <button type="button" class="compact" onClick={open}>
        <Icon name="sliders" />
        <span class="value">{value || labelOf(first.name)}</span>
        {more > 0 && <span class="about">{more} more</span>}
      </button>
      <div class={wrong ? 'main-field wrong-value' : 'main-field'}>
        <ValueInput parameter={first} value={value} wrong={wrong} aria-describedby={wrong ? wrongId : undefined} />
      </div>
      {/* the chips are one stop for Tab */}
      <div class="chips" role="toolbar" aria-label="Options" onKeyDown={(e) => moveAlong(e, '.chip > button')}>
        {others.map((p, index) => (
          <ParameterChip key={p.name} parameter={p} value={values[p.name] ?? ''} wrong={wrongOf(p.name)} tabIndex={index === 0 ? 0 : -1} />
        ))}
        <AgeChip quote={quote} tabIndex={others.length ? -1 : 0} />
      </div>
      {/* one element, so that the focus stays */}
      {running.value ? (
        <Button icon="stop" class="run" text={['Stop ', <kbd key="key">Esc</kbd>]} onClick={stop} />
      ) : (
        <Button
          type="submit"
          class="run primary"
          icon={shown ? 'refresh' : 'play'}
          text={['Run', priceTag]}
          {...(price !== null && { 'data-price': price })}
        />
      )}
      <Problem class="wrong" id={wrongId} words={wrong} />
      <Problem class="wrong" words={quote.field === first.name || value === '' ? null : quote.wrong} />
      {read && <p class="about" role="status">{`Understood ${read.value} from the address ${read.given.slice(0, 80)}.`}</p>}
    </form>
  );
}
