import { cleanUrl } from '../address.ts';

/** URLs by title, from the script data of pages with sealed links: `["<url>","<title>","<snippet>"`. */
export function embeddedTargets(source: string): ReadonlyMap<string, string> {
  const byTitle = new Map<string, string>();
  const plain = source.replace(/\\x22/g, '"').replace(/\\\//g, '/');
  for (const match of plain.matchAll(/\["(https?:[^"\s]{4,2000})","((?:[^"\\]|\\.){1,300})"/g)) {
    const url = cleanUrl(plainText(match[1] ?? ''));
    const title = titleKey(plainText(match[2] ?? ''));
    if (url && title && !byTitle.has(title)) byTitle.set(title, url);
  }
  return byTitle;
}
const plainText = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, u, x) => String.fromCharCode(Number.parseInt(u ?? x, 16)))
    .replace(/\\(.)/g, '$1');
export const titleKey = (title: string): string => title.normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
