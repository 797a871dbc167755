import type { WatchedField } from '../../contract/watched-field.ts';
import { ENTRIES, PRESETS, type Preset } from './presets.ts';

/** The paths of a preset with the chosen entries. */
const pathsOf = ({ paths }: Preset, entries: readonly string[]): readonly string[] =>
  paths.flatMap((path) =>
    path.includes('@') && entries.length > 0 ? entries.map((entry) => path.replace('@', `[${entry}]`)) : [path.replace('@', '')],
  );

export interface Ticked {
  readonly preset: Preset;
  readonly value: string;
}
/** The fields of the API that ticked conditions stand for. */
export const fieldsOf = (ticked: readonly Ticked[], entries: readonly string[]): readonly WatchedField[] =>
  ticked.flatMap(({ preset, value }) =>
    pathsOf(preset, entries).map((path): WatchedField => {
      if (preset.as === 'least') return { path, least: Number(value) };
      if (preset.as === 'leastShare') return { path, leastShare: Number(value) / 100 };
      return preset.as === 'crosses' ? { path, crosses: Number(value) } : path;
    }),
  );
/** The days of `due`; undefined: the operation has no date. */
export function dueOf(presets: readonly Preset[], ticked: readonly Ticked[]): readonly number[] | undefined {
  if (!presets.some(({ as }) => as === 'due')) return undefined;
  const days = ticked.find(({ preset }) => preset.as === 'due')?.value;
  return days === undefined ? [] : days.split(', ').map(Number);
}

const percentOf = (share: number): number => Number((share * 100).toPrecision(12));
const valueIn = (preset: Preset, field: WatchedField): string | null => {
  if (typeof field === 'string') return preset.as === undefined || preset.as === 'due' ? '' : null;
  if (preset.as === 'least' && 'least' in field) return String(field.least);
  if (preset.as === 'leastShare' && 'leastShare' in field) return String(percentOf(field.leastShare));
  return preset.as === 'crosses' && 'crosses' in field ? String(field.crosses) : null;
};
const pathOf = (field: WatchedField): string => (typeof field === 'string' ? field : field.path);

/** The conditions that stand for the fields of a watch, its entries, and the fields that no condition stands for. */
export function presetsIn(presets: readonly Preset[], fields: readonly WatchedField[], due: readonly number[]) {
  const ofEntries = presets.flatMap(({ paths }) => paths.flatMap((path) => (path.includes('@') ? [path.split('@')] : [])));
  const entryOf = (path: string): readonly string[] =>
    ofEntries.flatMap(([list = '', rest = '']) =>
      path.startsWith(`${list}[`) && path.endsWith(`]${rest}`) ? [path.slice(list.length + 1, -rest.length - 1)] : [],
    );
  const entries = [...new Set(fields.flatMap((field) => entryOf(pathOf(field))))];
  const left = new Set(fields);
  const ticked = presets.flatMap((preset): Ticked[] => {
    const found = pathsOf(preset, entries).map((path) => fields.find((field) => pathOf(field) === path && valueIn(preset, field) !== null));
    const values = new Set(found.map((field) => field && valueIn(preset, field)));
    const isThere = found.every((field) => field !== undefined) && values.size === 1 && (preset.as !== 'due' || due.length > 0);
    if (!isThere) return [];
    for (const field of found) if (field) left.delete(field);
    return [{ preset, value: preset.as === 'due' ? due.join(', ') : ([...values][0] ?? '') }];
  });
  return { entries, ticked, left: [...left] };
}

/** Each field that the operation counts and no preset stands for, as a condition of its own. */
export function oneByOne(operation: string, watched: readonly string[], name: (field: string) => string): readonly Preset[] {
  const covered = new Set((PRESETS[operation] ?? []).flatMap((preset) => (preset.as && preset.as !== 'due' ? [] : preset.paths)));
  const list = ENTRIES[operation]?.list;
  return watched.flatMap((field): Preset[] => {
    if (covered.has(field)) return [];
    const path = list !== undefined && field.startsWith(`${list}.`) ? field.replace(list, `${list}@`) : field;
    return [{ id: `field ${field}`, words: `${name(field)} ${field.endsWith('?') ? 'comes or goes' : 'changes'}`, paths: [path] }];
  });
}

/** A condition with its value. `isAny`: no entry of the list is chosen. */
export const conditionWords = ({ preset, value }: Ticked, isAny: boolean): string =>
  ((isAny && preset.ofAny) || preset.words).replace('{}', value);

/** A field that no condition stands for, in words. */
export function fieldWords(field: WatchedField, name: (field: string) => string): string {
  const [, entry] = /\[(.+)\]/.exec(pathOf(field)) ?? [];
  const what = `${name(pathOf(field))}${entry === undefined ? '' : ` of ${entry}`}`;
  if (typeof field === 'string') return `${what} changes`;
  if ('crosses' in field) return `${what} passes ${field.crosses}`;
  return `${what} changes by ${'least' in field ? field.least : `${percentOf(field.leastShare)} %`} or more`;
}
