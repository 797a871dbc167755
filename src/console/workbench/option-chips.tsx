import type { JSX } from 'preact';
import type { ParameterView } from '../../contract/contract-view.ts';
import { place, setQuery } from '../app/place.ts';
import { Choices } from '../parts/card.tsx';
import { Chip } from '../parts/chip.tsx';
import { capital, words } from '../parts/format.ts';
import { Wrong } from '../parts/load.tsx';
import { creditsText, type Quote } from './price.ts';
import { AGES, ageOf, STALE_SECONDS, setValue } from './request.ts';

const LABELS: Readonly<Record<string, string>> = { location: 'Country', url: 'URL', sort_by: 'Sort', depth: 'Results' };
/** What a value is called beside its identifier, which stays in the address and in code. */
const VALUES: Readonly<Record<string, string>> = { engine_a: 'Google', engine_b: 'Bing' };
export const labelOf = (name: string): string => LABELS[name] ?? capital(words(name));
const valueName = (value: string): string => VALUES[value] ?? value;

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

export function ParameterChip({ tabIndex, ...props }: ParameterProps & { readonly tabIndex: number }) {
  const { parameter, value, wrong } = props;
  const { name, schema } = parameter;
  const usual = String(parameter.default ?? '');
  const shown = value || usual;
  const label = labelOf(name);
  const description = (
    <p id={`field-${name}-about`} class="about">
      {plain(parameter.description)}
    </p>
  );
  return (
    <Chip
      name={label}
      value={shown === '' ? 'any' : valueName(shown)}
      label={label}
      changed={shown !== usual}
      wrong={wrong !== null}
      tabIndex={tabIndex}
    >
      {(close) =>
        schema.enum ? (
          <>
            <Choices
              isList
              legend={label}
              choices={schema.enum.map((one) => [one, VALUES[one] ? [VALUES[one], ' ', <code key="id">{one}</code>] : one])}
              value={shown}
              choose={(one) => void setValue(name, one === usual ? '' : one)}
            />
            {description}
          </>
        ) : (
          <div class="field">
            <ValueInput
              {...props}
              aria-describedby={`field-${name}-about${wrong ? ` field-${name}-wrong` : ''}`}
              onKeyDown={(e) => {
                if (e.key !== 'Enter') return;
                e.preventDefault();
                close();
              }}
            />
            <Wrong id={`field-${name}-wrong`} words={wrong} />
            {description}
          </div>
        )
      }
    </Chip>
  );
}

/** How old the answer may be, and what serves where sources fail; the header and the price of each choice stand beside it. */
export function AgeChip({ quote: { price }, tabIndex }: { quote: Quote; tabIndex: number }) {
  const { query } = place.value;
  const chosen = ageOf(query);
  const [age] = chosen;
  const stale = query.get('_stale') !== null;
  const priceOf = (choice: string): string | null =>
    price && creditsText(choice === 'kept' ? 0 : choice === '' ? price.charge : price.price);
  return (
    <Chip
      name="Age"
      value={/^\d/.test(age) ? `${Math.round(Number(age) / 60)} min` : age || 'any'}
      label="Age of the answer"
      changed={age !== '' || stale}
      tabIndex={tabIndex}
    >
      {() => (
        <>
          <Choices
            isList
            legend="Age of the answer"
            choices={[...new Set([...AGES, chosen])].map(([value, text, directive]) => {
              const header = directive ? ` Cache-Control: ${directive}` : ' as the service keeps it';
              return [
                value,
                [
                  text,
                  <small key="header" class="about">
                    {header}
                  </small>,
                ],
                priceOf(value),
              ];
            })}
            value={age}
            choose={(value) => setQuery({ _age: value })}
          />
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
