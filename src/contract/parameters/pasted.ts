import type { Codes } from './code-names.ts';
import type { Pairs, Parameter } from './parameter.ts';

/** A value that was given as an address, and the parameter that was understood. */
export interface Understood {
  readonly name: string;
  readonly given: string;
  readonly value: string;
}

/**
 * Reads URLs pasted where a domain, a handle, a community or an id is asked for; other texts stay. The HTTP interface accepts only its schema.
 * `codeOf` also reads a country or a language by its name.
 */
export function readPasted(
  parameters: readonly Parameter[],
  given: Pairs,
  codeOf?: (of: Codes, name: string) => string | null,
): { readonly pairs: readonly (readonly [string, string])[]; readonly understood: readonly Understood[] } {
  const understood: Understood[] = [];
  const pairs = [...given].map(([name, text]): readonly [string, string] => {
    const parameter = parameters.find((p) => p.name === name);
    if (!parameter || parameter.read(text).ok) return [name, text];
    const value = (parameter.codes ? codeOf?.(parameter.codes, text) : parameter.pasted?.(text)) ?? null;
    if (value === null || !parameter.read(value).ok) return [name, text];
    understood.push({ name, given: text, value });
    return [name, value];
  });
  return { pairs, understood };
}

/** A web address with or without its scheme; null for other texts, and where it holds credentials. */
function addressOf(text: string): URL | null {
  const given = text.trim();
  const url = URL.parse(/^https?:\/\//i.test(given) ? given : `https://${given}`);
  return url && !/\s/.test(given) && url.username === '' && url.password === '' ? url : null;
}

export const pastedHost = (text: string): string | null => addressOf(text)?.hostname || null;

/** A URL on `site` or a subdomain; on no other host where `only` says so. */
function urlOn(site: string, text: string, only?: RegExp): URL | null {
  const url = addressOf(text);
  const isThere = url && (url.hostname === site || url.hostname.endsWith(`.${site}`)) && (only?.test(url.hostname) ?? true);
  return isThere ? url : null;
}
/** Extracts capture group 1 from the path of a URL on `site` or a subdomain. */
export const pastedPart =
  (site: string, pattern: RegExp, only?: RegExp) =>
  (text: string): string | null =>
    pattern.exec(urlOn(site, text, only)?.pathname ?? '')?.[1] ?? null;
/** The page that a visitor wanted, by the address of the page in front of it. */
export const pastedBehind =
  (site: string, pattern: RegExp, name: string) =>
  (text: string): string | null => {
    const url = urlOn(site, text);
    return url && pattern.test(url.pathname) ? url.searchParams.get(name) : null;
  };
