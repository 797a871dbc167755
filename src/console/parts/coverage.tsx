import { capital, number, plural, words } from './format.ts';
import './coverage.css';

/** The squares of a source of search results, in order: a field of the answer, and its words. */
const SQUARES = [
  ['organic', 'organic'],
  ['paid', 'ads'],
  ['aiOverview', 'AI overview'],
  ['features', 'sections'],
  ['organic.rating', 'ratings'],
  ['relatedSearches', 'related searches'],
] as const;
const NAMES = SQUARES.map(([, name]) => name);
const NAME_OF: ReadonlyMap<string, string> = new Map(SQUARES);
/** `organic.websiteName` → Organic website name. */
export function fieldInWords(field: string): string {
  const [first = '', ...below] = field.split('.');
  return capital(NAME_OF.get(field) ?? [NAME_OF.get(first) ?? words(first), ...below.map(words)].join(' '));
}
const isOfSearch = (fields: readonly string[]): boolean => fields.includes('organic');
const squaresIn = (states: readonly string[]): readonly boolean[] => SQUARES.map(([field]) => states.includes(field));

/** What a source states, in a few words; of other answers than a search the number of their fields. */
export function statedInWords(states: readonly string[]): string {
  if (!isOfSearch(states)) return plural(states.length, 'field');
  const names = NAMES.filter((_, index) => squaresIn(states)[index]);
  return names.length === 1 ? `${names[0]} only` : names.join(', ');
}

const STEP_PX = 14;
const Squares = ({ stated, name }: { stated: readonly boolean[]; name: string }) => (
  <svg class="squares" width={stated.length * STEP_PX} height="12" role="img" aria-label={name}>
    {stated.map((isStated, index) => (
      <rect key={NAMES[index]} class={isStated ? 'stated' : undefined} x={index * STEP_PX + 1} y="1.5" width="9" height="9" rx="2" />
    ))}
  </svg>
);

interface CoverageProps {
  /** Fields that the documented example of a source states, and those that it does not. */
  readonly states: readonly string[];
  readonly lacks: readonly string[];
}
/** What a source states: of a search six squares, on a phone their words; else how many of the fields. Nothing where it was not compared. */
export function Coverage({ states, lacks }: CoverageProps) {
  const all = states.length + lacks.length;
  if (all === 0) return null;
  if (!isOfSearch([...states, ...lacks])) {
    const share = lacks.length === 0 ? 'whole' : `${number(states.length)} of ${plural(all, 'field')}`;
    return <span title={lacks.length === 0 ? undefined : `Not stated: ${lacks.join(', ')}`}>{share}</span>;
  }
  const stated = squaresIn(states);
  const named = statedInWords(states);
  return (
    <>
      <span class="wide-only" title={named}>
        <Squares stated={stated} name={`${stated.filter(Boolean).length} of ${stated.length}: ${named}`} />
      </span>
      <span class="phone-only">{named}</span>
    </>
  );
}

/** What the squares stand for, in their order. */
export const CoverageKey = () => (
  <span class="coverage-key wide-only">
    <Squares stated={SQUARES.map((_, index) => index % 2 === 0)} name="Six squares" />
    {NAMES.join(', ')}
  </span>
);
