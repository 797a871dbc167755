import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { OperationView } from '../../contract/contract-view.ts';
import { moveAlong } from '../app/keys.tsx';
import { place } from '../app/place.ts';
import { Button } from '../parts/controls.tsx';
import { Icon } from '../parts/icons.tsx';
import { Wrong } from '../parts/load.tsx';
import { answer, run, running, stop } from './answer.ts';
import { AgeChip, labelOf, ParameterChip, plain, ValueInput } from './option-chips.tsx';
import { askPrice, creditsText, quoteOf } from './price.ts';
import { givenOf, understood, type Values } from './request.ts';

const PAUSE_MS = 400;

/** The form: the required parameter, the others as chips, and Run with the price of exactly this form. */
export function QueryBar({ operation, values }: { operation: OperationView; values: Values }) {
  const tried = useSignal(false);
  const hasAnswer = answer.value !== null;
  const isOpen = useSignal(!hasAnswer);
  const quote = quoteOf(operation, values);
  const { entry } = place.value;
  const asked = useRef('');
  useEffect(() => {
    // what the address asks for is asked at once, what is typed after a pause
    const pauseMs = asked.current === entry ? PAUSE_MS : 0;
    asked.current = entry;
    return askPrice(operation, values, pauseMs);
  }, [operation, values, quote, entry]);
  useEffect(() => {
    isOpen.value = !hasAnswer;
  }, [hasAnswer]);
  const first = operation.parameters.find((p) => p.required);
  if (!first) return null;
  const others = operation.parameters.filter((p) => p !== first);
  const age = place.value.query.get('_age') ?? '';
  const value = values[first.name] ?? '';
  const wrongOf = (name: string): string | null => (quote.field === name && values[name] ? quote.wrong : null);
  const missing = tried.value ? `Enter ${labelOf(first.name).toLowerCase()}: ${plain(first.description)}` : null;
  const wrong = value === '' ? missing : wrongOf(first.name);
  const wrongId = `field-${first.name}-wrong`;
  const price = quote.price && (age === 'kept' ? 0 : age === '' ? quote.price.charge : quote.price.price);
  const priceTag = price !== null && <span class="price">{creditsText(price)}</span>;
  const focus = (): void => document.getElementById(`field-${first.name}`)?.focus();
  const open = (): void => {
    isOpen.value = true;
    focus();
    // on a phone the field is drawn only then
    requestAnimationFrame(focus);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (running.value) return;
    tried.value = true;
    if (value === '') open();
    else void run(price);
  };
  const more = Object.keys(givenOf(operation, values)).length - 1;
  return (
    // what is wrong is shown beside its field, on a phone too
    <form class={isOpen.value || wrong || quote.wrong ? 'query open' : 'query'} onSubmit={submit} noValidate aria-label="Lookup">
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
          icon={hasAnswer ? 'refresh' : 'play'}
          text={['Run', priceTag]}
          {...(price !== null && { 'data-price': price })}
        />
      )}
      <Wrong id={wrongId} words={wrong} />
      <Wrong words={quote.field === first.name || value === '' ? null : quote.wrong} />
      {understood.value && (
        <p class="about" role="status">
          Understood {understood.value.value} from the address {understood.value.given.slice(0, 80)}.
        </p>
      )}
    </form>
  );
}
