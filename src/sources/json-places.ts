import { isObject } from './untyped-json.ts';

/**
 * Where a document states each field of a resource: by the field's dotted path, one or more places in the document. A place is a dotted path
 * of keys; `[]` stands for every entry of a list. `:string` or `:number` after a place names a type of which every value is understood, also
 * where it means "none": then only another type is unread.
 */
export type JsonPlaces = Readonly<Record<string, string | readonly string[]>>;

interface Place {
  readonly steps: readonly string[];
  readonly known: string | undefined;
}
interface Field {
  readonly path: string;
  readonly steps: readonly string[];
  readonly places: readonly Place[];
}

const placeOf = (text: string): Place => {
  const [path = '', known] = text.split(':');
  return { steps: path.replaceAll('[]', '.[]').split('.'), known };
};
const fieldsOf = (places: JsonPlaces): readonly Field[] =>
  Object.entries(places).map(([path, where]) => ({ path, steps: path.split('.'), places: [where].flat().map(placeOf) }));

const valueAt = (value: unknown, steps: readonly string[]): unknown => {
  let here = value;
  for (let i = 0; i < steps.length; i++) here = isObject(here) ? here[steps[i] as string] : undefined;
  return here;
};

/** Blank text, 0, a negative number and an empty list or object state nothing. */
function isStated(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value === 'number') return value > 0;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'boolean' || (isObject(value) && Object.keys(value).length > 0);
}
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Whether `test` holds for a value at the place, or a value on the way has another type than the path expects. */
function someAt(value: unknown, steps: readonly string[], from: number, test: (value: unknown) => boolean): boolean {
  if (from === steps.length) return test(value);
  if (value === null || value === undefined || value === '') return false;
  const step = steps[from] ?? '';
  if (step === '[]') return Array.isArray(value) ? value.some((entry) => someAt(entry, steps, from + 1, test)) : isStated(value);
  return isObject(value) ? someAt(value[step], steps, from + 1, test) : isStated(value);
}

/**
 * A check of resources against the document that they were read from: the paths of the fields that are missing in the resource although the
 * document states something at their places, and of the lists whose entries in the document have another form than known.
 */
export function unreadByPlaces(places: JsonPlaces): (resource: unknown, document: unknown, prefix?: string) => string[] {
  const fields = fieldsOf(places);
  return (resource, document, prefix = '') => {
    const unread: string[] = [];
    for (const field of fields) {
      const value = valueAt(resource, field.steps);
      // most fields have a value, and a thread has thousands of comments
      if (value !== null && typeof value !== 'object') continue;
      const isList = Array.isArray(value);
      if (value !== null && !isList) continue;
      const isLost = ({ steps, known }: Place): boolean =>
        someAt(document, steps, 0, (found) => (isList ? !isScalar(found) : isStated(found) && typeof found !== known));
      if (field.places.some(isLost)) unread.push(prefix + field.path);
    }
    return unread;
  };
}
