/** The states of a source, the worst first, each with its one word: in the console, on the command line and at the start. */
export const SOURCE_WORDS = {
  failing: 'Failing',
  refused: 'Refused',
  resting: 'Resting',
  drifting: 'Drifts',
  ending: 'Ends',
  in_use: 'In use',
  environment: 'Environment',
  standing_by: 'Standing by',
  no_key: 'No key',
  off: 'Off',
} as const;
export type SourceWord = keyof typeof SOURCE_WORDS;
export const SOURCE_STATES = [
  'failing',
  'refused',
  'resting',
  'drifting',
  'ending',
  'in_use',
  'environment',
  'standing_by',
  'no_key',
  'off',
] as const satisfies readonly SourceWord[];

/** The states of a credential of a source. */
export const CREDENTIAL_WORDS = {
  none: SOURCE_WORDS.no_key,
  entered: 'Entered here',
  environment: SOURCE_WORDS.environment,
  sealed_otherwise: 'Sealed by another secret',
} as const;

/** What is free of a source that costs nothing. */
export const ALWAYS = 'always';
/** Order of what is free: what a provider gives again each month, what it gives once, what costs nothing, and what is not known. */
export const rankOfFree = (free: string | null): number => (free === null ? 3 : free === ALWAYS ? 2 : /month/.test(free) ? 0 : 1);
