import type { Watch } from '../../contract/account/watch-schemas.ts';
import { CODES } from '../../contract/parameters/code-names.ts';
import { operationOf } from '../app/operations.ts';
import { capital, nameOf, VALUES } from '../parts/format.ts';
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
      .map((code) => [code, nameOf(code, codes)] as const)
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

/** Country, language, device, search engine and number of results. */
export const Where = ({ place, set }: { place: Place; set: (place: Place) => void }) => (
  <fieldset class="places">
    <legend>Where</legend>
    {PLACE.map((name) => (
      <div class="field" key={name}>
        <label for={`keyword-${name}`}>{LABELS[name]}</label>
        <select id={`keyword-${name}`} value={place[name]} onChange={(e) => set({ ...place, [name]: e.currentTarget.value })}>
          {choicesOf(name).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
    ))}
  </fieldset>
);
