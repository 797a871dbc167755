import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OperationView, ParameterView } from '../../contract/contract-view.ts';
import { contract, credits } from '../app/session.ts';
import { CopyButton } from '../parts/copy.tsx';
import { moment, number, plural } from '../parts/format.ts';
import { run, running, stop } from './answer.ts';
import { askPrice, quote } from './price.ts';
import { examplesOf, linkOf, type Values } from './request.ts';

interface FieldProps {
  readonly parameter: ParameterView;
  readonly value: string;
  readonly wrong: string | null;
  readonly change: (value: string) => void;
}

/** A field of the form: a list of values, or text with the example as placeholder, and the words of the service when it is wrong. */
function Field({ parameter, value, wrong, change }: FieldProps) {
  const { name, schema, required, description, example } = parameter;
  const id = `field-${name}`;
  const described = `${id}-about${wrong ? ` ${id}-wrong` : ''}`;
  const common = { id, name, 'aria-describedby': described, 'aria-invalid': wrong !== null, required };
  return (
    <div class="field">
      <label for={id}>
        {name} {required ? <span class="required">required</span> : null}
      </label>
      {schema.enum ? (
        <select {...common} value={value} onChange={(e) => change(e.currentTarget.value)}>
          {!required && <option value="">{parameter.default === null ? 'not set' : `${parameter.default} (default)`}</option>}
          {schema.enum.map((v) => (
            <option key={v} value={v}>
              {v}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          value={value}
          inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
          autocomplete="off"
          spellcheck={false}
          placeholder={parameter.default === null ? `for example ${example}` : `${parameter.default} (default)`}
          onInput={(e) => change(e.currentTarget.value)}
        />
      )}
      <p id={`${id}-about`} class="about">
        {description}
        {schema.enum ? null : ` Example: ${example}`}
      </p>
      {wrong && (
        <p id={`${id}-wrong`} class="wrong">
          {wrong}
        </p>
      )}
    </div>
  );
}

/** What the request will cost, and what the account has. With freshness of its own a request may have to ask the source. */
function Price({ freshnessAsked }: { freshnessAsked: boolean }) {
  const said = quote.value;
  const have = credits.value === null ? '' : ` You have ${number(credits.value)}.`;
  if (said.state === 'asking') return <p class="price">Asking for the price…</p>;
  if (said.state === 'wrong') return <p class="price">No price yet: the request is not complete.</p>;
  const { charge, price, cached, freshUntil } = said.quote;
  if (cached && !freshnessAsked)
    return (
      <p class="price" data-price={charge}>
        {charge === 0 ? 'Free' : `Costs ${plural(charge, 'credit')}`}: a fresh answer is stored
        {freshUntil && ` until ${moment(freshUntil)}`}.{have}
      </p>
    );
  return (
    <p class="price" data-price={price}>
      Costs at most <strong>{plural(price, 'credit')}</strong>.{have}
    </p>
  );
}

/** The form of an operation, drawn from the contract. `initial`: values of the address. */
export function RequestForm({ operation, initial }: { operation: OperationView; initial: Values }) {
  const values = useSignal<Values>(initial);
  const headers = useSignal<Values>({});
  const wrong = useComputed(() => (quote.value.state === 'wrong' ? quote.value : null));
  useEffect(() => askPrice(operation, values.value), [operation, values.value]);
  const link = linkOf(operation, values.value);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    // without a required value there is no request to send: the field says what is needed
    const empty = operation.parameters.find((p) => p.required && !values.value[p.name]);
    if (empty) {
      document.getElementById(`field-${empty.name}`)?.focus();
      return;
    }
    window.history.replaceState(null, '', link);
    const sent = Object.fromEntries(Object.entries(headers.value).filter(([, value]) => value !== ''));
    await run(operation, values.value, sent);
    askPrice(operation, values.value);
  };
  return (
    <form class="request" onSubmit={(e) => void submit(e)} noValidate>
      <div class="fields">
        {operation.parameters.map((p) => (
          <Field
            key={p.name}
            parameter={p}
            value={values.value[p.name] ?? ''}
            wrong={wrong.value?.field === p.name && values.value[p.name] ? wrong.value.words : null}
            change={(value) => {
              values.value = { ...values.value, [p.name]: value };
            }}
          />
        ))}
      </div>
      <details class="headers">
        <summary>Optional headers</summary>
        <div class="fields">
          {contract.value?.headers.map((h) => (
            <Field
              key={h.name}
              parameter={h}
              value={headers.value[h.name] ?? ''}
              wrong={null}
              change={(value) => {
                headers.value = { ...headers.value, [h.name]: value };
              }}
            />
          ))}
        </div>
      </details>
      <div aria-live="polite" class="quote">
        <Price freshnessAsked={Boolean(headers.value['Cache-Control'])} />
        {wrong.value && (wrong.value.field === null || !values.value[wrong.value.field]) && <p class="wrong">{wrong.value.words}</p>}
      </div>
      <div class="actions">
        <button type="submit" class="primary" disabled={running.value}>
          {running.value ? 'Running…' : 'Run'}
        </button>
        {running.value && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            values.value = examplesOf(operation);
          }}
        >
          Fill from examples
        </button>
        <CopyButton text={() => new URL(link, location.href).href}>Copy link</CopyButton>
      </div>
    </form>
  );
}
