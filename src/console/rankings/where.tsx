import type { Watch } from '../../contract/account/watch-schemas.ts';
import { CODES } from '../../contract/parameters/code-names.ts';
import { operationOf } from '../app/operations.ts';
import { Button } from '../parts/controls.tsx';
import { capital, nameOfCode, VALUES } from '../parts/format.ts';
import { Problem } from '../parts/page.tsx';
import { foldedOf } from './keyword-lines.ts';

/** Parameters of a search beside its keyword. */
export const PLACE = ['location', 'language', 'device', 'engine', 'depth'] as const;
export type Place = Readonly<Record<(typeof PLACE)[number], string>>;
/** Results to choose from, the least first. */
export const DEPTHS = ['10', '20', '30', '50', '100'];

const parameterOf = (name: string) => operationOf('serp')?.parameters.find((each) => each.name === name);
export const usualOf = (name: string): string => String(parameterOf(name)?.default ?? '');
const choicesOf = (name: (typeof PLACE)[number]): readonly (readonly [value: string, words: string])[] => {
  const codes = parameterOf(name)?.codes;
  if (codes)
    return [...CODES[codes]]
      .map((code) => [code, nameOfCode(code, codes)] as const)
      .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
  if (name === 'depth') return DEPTHS.map((depth) => [depth, `${depth} results`]);
  return parameterOf(name)?.schema.enum?.map((value) => [value, VALUES.get(value) ?? capital(value)]) ?? [];
};
const LABELS: Place = { location: 'Country', language: 'Language', device: 'Device', engine: 'Search engine', depth: 'Results' };

/** Keywords that are watched in this place, whatever their depth. */
export function watchedIn(watches: readonly Watch[], place: Place): ReadonlySet<string> {
  const isHere = ({ operation, parameters }: Watch): boolean =>
    operation === 'serp' && PLACE.every((name) => name === 'depth' || (parameters[name] ?? usualOf(name)) === place[name]);
  return new Set(watches.filter(isHere).map(({ parameters }) => foldedOf(parameters.keyword ?? '')));
}

/** Keywords whose first page of apps is watched. */
export const watchedApps = (watches: readonly Watch[]): ReadonlySet<string> =>
  new Set(
    watches
      .filter(({ operation, parameters }) => operation === 'app-keywords' && (parameters.page ?? '1') === '1')
      .map(({ parameters }) => foldedOf(parameters.keyword ?? '')),
  );

/** `Germany, Mobile`: what tells the place from the usual one, else its country. */
export function placeInWords(place: Place, usual = usualPlace()): string {
  const named = PLACE.filter((name) => name === 'location' || (name !== 'depth' && place[name] !== usual[name]));
  return named.map((name) => choicesOf(name).find(([value]) => value === place[name])?.[1] ?? place[name]).join(', ');
}
export const usualPlace = (): Place => ({ ...(Object.fromEntries(PLACE.map((name) => [name, usualOf(name)])) as Place), depth: '20' });

/** The earlier one of the places that is the same but for its depth; -1: none. */
export const sameBefore = (places: readonly Place[], index: number): number =>
  places.slice(0, index).findIndex((one) => PLACE.every((name) => name === 'depth' || one[name] === places[index]?.[name]));

const MOST_PLACES = 10;
interface WhereProps {
  readonly places: readonly Place[];
  readonly set: (places: readonly Place[]) => void;
}
/** Country, language, device, search engine and number of results: of one place, or of several. */
export function Where({ places, set }: WhereProps) {
  const isOne = places.length === 1;
  const remove = (index: number): void => {
    set(places.toSpliced(index, 1));
    document.getElementById(`keyword-location-${Math.max(0, index - 1)}`)?.focus();
  };
  const last = places.at(-1);
  return (
    <>
      {places.map((place, index) => {
        const same = sameBefore(places, index);
        return (
          <fieldset class="places" key={index}>
            <legend>{isOne ? 'Where' : `Place ${index + 1}`}</legend>
            {PLACE.map((name) => (
              <div class="field" key={name}>
                <label for={`keyword-${name}-${index}`}>{LABELS[name]}</label>
                <select
                  id={`keyword-${name}-${index}`}
                  value={place[name]}
                  onChange={(e) => set(places.with(index, { ...place, [name]: e.currentTarget.value }))}
                >
                  {choicesOf(name).map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
              </div>
            ))}
            <Problem class="wrong" words={same < 0 ? null : `The same as place ${same + 1}: change more than the results.`} />
            {!isOne && <Button class="quiet" text={`Remove place ${index + 1}`} onClick={() => remove(index)} />}
          </fieldset>
        );
      })}
      {last && places.length < MOST_PLACES && (
        <p class="actions">
          <Button class="quiet" icon="plus" text="Add another place" onClick={() => set([...places, last])} />
        </p>
      )}
    </>
  );
}
