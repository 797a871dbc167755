import type { WatchedField } from '../../contract/watched-field.ts';
import { plural } from '../parts/format.ts';
import { fieldName } from './change-words.ts';
import { fieldWords, type Ticked } from './preset-fields.ts';
import { ENTRIES, type Preset } from './presets.ts';
import './conditions.css';

/** What the form of a watch holds. */
export interface Chosen {
  /** Name of the chosen entry of the list; '': any. */
  readonly entry: string;
  readonly ticked: readonly Ticked[];
  /** Fields that no condition stands for; they stay as they are. */
  readonly left: readonly WatchedField[];
}

export const usualValue = (preset: Preset): string => preset.usual ?? preset.values?.[0] ?? '';

interface ConditionProps {
  readonly preset: Preset;
  readonly value: string;
  readonly isOn: boolean;
  readonly now: string | null;
  readonly isAny: boolean;
  readonly set: (value: string | null) => void;
}
function Condition({ preset, value, isOn, now, isAny, set }: ConditionProps) {
  const words = (isAny && preset.ofAny) || preset.words;
  const [before = '', after] = words.split('{}');
  const values = preset.values?.includes(value) ? preset.values : [value, ...(preset.values ?? [])];
  const id = `when-${preset.id.replaceAll(/\W/g, '-')}`;
  return (
    <li>
      <input id={id} type="checkbox" checked={isOn} onInput={(e) => set(e.currentTarget.checked ? value : null)} />
      <span class="grow">
        <label for={id}>{before.trim()}</label>
        {after !== undefined && (
          <>
            {' '}
            <select aria-label={words.replace('{}', '…')} value={value} onInput={(e) => set(e.currentTarget.value)}>
              {values.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>{' '}
            {after.trim()}
          </>
        )}
      </span>
      {now && <span class="caption">{now}</span>}
    </li>
  );
}

interface ConditionsProps extends Chosen {
  readonly operation: string;
  readonly presets: readonly Preset[];
  readonly others: readonly Preset[];
  readonly answer: unknown;
  /** Entries that the answer names, beside the chosen one. */
  readonly entries: readonly string[];
  /** What the API calls the chosen entry. */
  readonly names: readonly string[];
  readonly about: string | null;
  readonly set: (changes: Partial<Chosen>) => void;
}
/** Which entry, and when to tell: conditions with their values and what they are now. */
export function Conditions(props: ConditionsProps) {
  const { operation, presets, others, answer, entries, names, about, set, entry, ticked, left } = props;
  const of = ENTRIES[operation];
  const turn = (preset: Preset, value: string | null): void => {
    const rest = ticked.filter((one) => one.preset.id !== preset.id);
    set({ ticked: value === null ? rest : [...rest, { preset, value }] });
  };
  const draw = (preset: Preset) => {
    const here = ticked.find((one) => one.preset.id === preset.id);
    const value = here?.value ?? usualValue(preset);
    return (
      <Condition
        key={preset.id}
        preset={preset}
        value={value}
        isOn={here !== undefined}
        isAny={entry === ''}
        now={preset.now?.(answer, names, Number(value)) ?? null}
        set={(next) => turn(preset, next)}
      />
    );
  };
  return (
    <>
      {of && (
        <label class="field">
          {of.name}
          <span class="actions">
            <select value={entry} onInput={(e) => set({ entry: e.currentTarget.value })}>
              <option value="">{of.whole}</option>
              {[...new Set([...(entry ? [entry] : []), ...entries])].map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
            {about && <span class="about">{about}</span>}
          </span>
        </label>
      )}
      <fieldset class="field">
        <legend>Tell me when</legend>
        <ul class="conditions">
          {presets.map(draw)}
          {left.map((field, index) => (
            <li key={fieldWords(field, fieldName)}>
              <input type="checkbox" id={`left-${index}`} checked onInput={() => set({ left: left.filter((one) => one !== field) })} />
              <label class="grow" for={`left-${index}`}>
                {fieldWords(field, fieldName)}
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      {others.length > 0 && (
        <details open={others.some((preset) => ticked.some((one) => one.preset.id === preset.id))}>
          <summary>{`Fields one by one, ${plural(others.length, 'more', 'more')}`}</summary>
          <ul class="conditions">{others.map(draw)}</ul>
        </details>
      )}
    </>
  );
}
