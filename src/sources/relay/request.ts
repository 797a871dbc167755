import { type Input, OPERATIONS, type OperationId } from '../../contract/operations/index.ts';
import { objectOf } from '../untyped-json.ts';

export interface RequestForm {
  readonly operation: OperationId;
  /** Parts of the URL: literal text, or the name of an input that is inserted percent-encoded. */
  readonly url: readonly (string | { readonly input: string })[];
  /** JSON with `{input}` in its texts; null: no body. */
  readonly body: unknown;
}

export const NEXT = 'next';
/** `{location.lower}` is the input in small letters, `{keyword.encoded}` percent-encoded: a URL within a body. */
export const INPUTS = /(?<!\$)\{(\w*(?:\.(?:lower|encoded))?)\}/g;
const FORMS: ReadonlyMap<string | undefined, (text: string) => string> = new Map([
  ['lower', (text: string) => text.toLowerCase()],
  ['encoded', encodeURIComponent],
]);
export const inputNameOf = (place: string): string => place.split('.', 1)[0] ?? '';
const placeForm = (place: string): string | undefined => place.split('.').slice(1).join('.') || undefined;
export const hasKnownForm = (place: string): boolean => placeForm(place) === undefined || FORMS.has(placeForm(place));

/** In the place of an input that is not given; no URL holds it. */
const ABSENT = '\0';
/** A parameter of the query whose input is not given is left out. */
const withoutAbsent = (url: string): string =>
  url.includes(ABSENT)
    ? url
        .replace(/(?<=[?&])[^?&=#]+=\0(?:&|$)/g, '')
        .replaceAll(ABSENT, '')
        .replace(/[?&]$/, '')
    : url;

export function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  const fields = objectOf(value);
  return fields ? Object.fromEntries(Object.entries(fields).map(([name, entry]) => [name, mapTexts(entry, change)])) : value;
}

/** The inputs of an operation that a URL can name: its parameters, and the identifiers parsed from them. */
export const inputsOf = (id: OperationId): string[] => OPERATIONS[id].parameters.flatMap((p) => [p.field, ...(p.parts?.names ?? [])]);

/** The request to the provider; null if an identifier is missing (a short link has no id). */
export function requestOf(relay: RequestForm, input: Input, cursor = ''): { url: string; body: string | null } | null {
  const { parameters } = OPERATIONS[relay.operation];
  const given: Readonly<Record<string, unknown>> = { ...input };
  const texts: Record<string, string> = { [NEXT]: cursor };
  for (const [name, value] of Object.entries(given)) texts[name] = String(value);
  for (const { field, parts } of parameters) Object.assign(texts, parts?.of(texts[field] ?? ''));
  let isMissing = false;
  const textOf = (place: string): string => {
    const name = inputNameOf(place);
    const text = texts[name] ?? '';
    isMissing ||= texts[name] === undefined && parameters.some((p) => p.parts?.names.includes(name));
    return FORMS.get(placeForm(place))?.(text) ?? text;
  };
  const written = ({ input: place }: { readonly input: string }): string =>
    encodeURIComponent(textOf(place)) || (texts[inputNameOf(place)] === undefined ? ABSENT : '');
  const url = withoutAbsent(relay.url.map((piece) => (typeof piece === 'string' ? piece : written(piece))).join(''));
  const body = mapTexts(relay.body, (text) => {
    // a template of one input only keeps the input's type: a number stays a number
    const value = given[/^\{(\w+)\}$/.exec(text)?.[1] ?? ''];
    return typeof value === 'number' ? value : text.replace(INPUTS, (_, name: string) => textOf(name));
  });
  return isMissing ? null : { url, body: relay.body === null ? null : JSON.stringify(body) };
}
