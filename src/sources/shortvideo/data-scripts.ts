import { parseJson } from '../untyped-json.ts';

/** The ids of the scripts that contain the data of a page, newest first (recordings/social/NOTES.md 1.2, 1.5). */
export const DATA_SCRIPTS = [
  '__UNIVERSAL_DATA_FOR_REHYDRATION__',
  'api-data',
  '__FRONTITY_CONNECT_STATE__',
  'SIGI_STATE',
  'sigi-persisted-data',
  '__NEXT_DATA__',
] as const;
export type DataScript = (typeof DATA_SCRIPTS)[number];
const KNOWN: ReadonlySet<string> = new Set(DATA_SCRIPTS);

/**
 * The data scripts of a page as text, by id. Only their tags are searched for: parsing a 400 kB page into a tree takes twenty times as
 * long.
 */
export function dataScripts(html: string): ReadonlyMap<DataScript, string> {
  const scripts = new Map<DataScript, string>();
  for (let open = html.indexOf('<script'); open >= 0; ) {
    const begin = html.indexOf('>', open) + 1;
    if (begin === 0) break;
    const end = html.indexOf('</script', begin);
    const id = /\bid\s*=\s*["']?([\w-]+)/.exec(html.slice(open, begin))?.[1] ?? '';
    // a page truncated within its data has no end tag, and its data is not valid JSON
    if (KNOWN.has(id) && !scripts.has(id as DataScript)) scripts.set(id as DataScript, html.slice(begin, end < 0 ? undefined : end));
    if (end < 0) break;
    open = html.indexOf('<script', end);
  }
  return scripts;
}

/** The JSON of a data script, also from an assignment (`window['SIGI_STATE']={…};…`). */
export function jsonOfScript(text: string, fast: boolean): unknown {
  const plain = text.trim();
  if (plain.startsWith('{')) return parseJson(plain, fast);
  const begin = plain.indexOf('{', plain.indexOf('='));
  return begin < 0 ? undefined : parseJson(plain.slice(begin, endOfObject(plain, begin)), fast);
}

/** The end of the object that begins here: braces are counted, except in strings. */
function endOfObject(text: string, begin: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = begin; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '\\') i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '{') depth++;
    else if (c === '}' && --depth === 0) return i + 1;
  }
  return text.length;
}
