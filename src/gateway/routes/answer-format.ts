import Negotiator from 'negotiator';
import type { AccountEndpoint } from '../../contract/account/endpoints.ts';
import { invalid } from '../../contract/errors.ts';
import type { RequestContext } from '../http/request-context.ts';

/** The forms in which account endpoints answer, with their media types. */
export const TYPES = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
  html: 'text/html; charset=utf-8',
} as const;
type Format = keyof typeof TYPES;
const FORMATS = ['json', 'csv', 'ndjson', 'html'] as const satisfies readonly Format[];
const typeOf = (format: Format): string => TYPES[format].split(';', 1)[0] ?? '';
/** A parameter of a media range other than its weight. */
const PARAMETER = /;\s*(?!q\s*=)[\w!#$&^.+-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,]*)/gi;

/** The type that `Accept` (RFC 9110, 12.5.1) prefers; of equal ones the first. Parameters decide nothing: each type has one form here. */
export function preferredType<T extends string>(accept: string | undefined, types: readonly [T, ...T[]]): T {
  if (accept === undefined) return types[0];
  const chosen = new Negotiator({ headers: { accept: accept.replace(PARAMETER, '') } }).mediaType([...types]);
  return types.find((type) => type === chosen) ?? types[0];
}
/** The same of formats. */
export function preferredOf<F extends Format>(accept: string | undefined, formats: readonly [F, ...F[]]): F {
  const [first, ...others] = formats;
  const chosen = preferredType(accept, [typeOf(first), ...others.map(typeOf)]);
  return formats.find((format) => typeOf(format) === chosen) ?? first;
}

export const formatOf = <F extends Format>({ request }: RequestContext, asked: F | undefined, formats: readonly [F, ...F[]]): F =>
  asked ?? preferredOf(request.headers.accept, formats);
/** Of every answer whose form `Accept` may decide. */
export const VARY = ['Vary', 'Accept'] as const;

/** Throws INVALID_REQUEST for a parameter that would have no effect on the form of the answer that is asked for. */
export function demandUsedParameters(
  { texts = {}, jsonOnly = [], htmlOnly = [] }: Pick<AccountEndpoint, 'texts' | 'jsonOnly' | 'htmlOnly'>,
  context: RequestContext,
  query: readonly (readonly [string, string])[],
): void {
  const asked = FORMATS.find((format) => format === new Map(query).get('format'));
  const chosen = formatOf(context, asked, ['json', ...FORMATS.filter((format) => Object.hasOwn(texts, typeOf(format)))]);
  const others = [...(chosen === 'json' ? [] : jsonOnly), ...(chosen === 'html' ? [] : htmlOnly)];
  const [name, value] = query.find(([given]) => others.includes(given)) ?? [];
  if (name === undefined) return;
  const by = asked ? 'format' : context.request.headers.accept === undefined ? null : 'Accept';
  const form = by
    ? `${by} asks for ${typeOf(chosen)}: leave one of them out`
    : `the answer is ${typeOf(chosen)}: add format=html, or leave it out`;
  throw invalid(`Parameter ${name} is "${value}", but it is for ${jsonOnly.includes(name) ? 'JSON' : 'HTML'} alone, and ${form}.`);
}
