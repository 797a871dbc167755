/** How an operation is shown to people and agents. The client and the console's bundle never load it: the console gets name and icon with the contract. */
export interface Presentation<Resource> {
  /** Name in the console. */
  readonly name: string;
  /** An icon of `src/console/parts/icons.tsx`. */
  readonly icon: string;
  /** What a model must know to choose the tool: when to use it, how old answers are, limits of the answer, how it fails, what null means. */
  readonly guidance: Readonly<Record<'title' | 'use' | 'fresh' | 'limits', string>>;
  /** The resource in the table of the demo: a few labelled values. */
  lines(resource: Resource): readonly string[];
}

export const number = (value: number | null, unit: string): readonly string[] =>
  value === null ? [] : [`${value.toLocaleString('en')} ${unit}`];
export const facts = (...parts: readonly (readonly string[])[]): string => parts.flat().join(', ');
export const top = (names: readonly string[]): readonly string[] => names.slice(0, 3).map((name, i) => `${i + 1}. ${name}`);
export const text = (value: string | null): readonly string[] => (value === null || value === '' ? [] : [value]);
