import { Parser } from 'htmlparser2';

const VOID = new Set(['meta', 'br', 'hr', 'img', 'input', 'link']);

/** What is wrong with a page: elements that are not closed where they must be, text without escapes, no title, not one h1. */
export function htmlFaults(page: string): readonly string[] {
  const faults: string[] = [];
  const seen: string[] = [];
  const open: string[] = [];
  const parser = new Parser({
    onopentagname: (name) => void seen.push(name),
    onopentag(name) {
      if (!VOID.has(name)) open.push(name);
    },
    onclosetag(name, isImplied) {
      if (VOID.has(name)) return;
      const last = open.pop();
      if (isImplied || last !== name) faults.push(`</${name}> is missing or closes <${last}>`);
    },
    ontext(text) {
      if (open.at(-1) !== 'style' && text.includes('<')) faults.push(`unescaped: ${text.slice(0, 40)}`);
    },
  });
  parser.end(page);
  const { length: closing } = page.match(/<\/[a-z]/g) ?? [];
  const opened = seen.filter((name) => !VOID.has(name)).length;
  if (closing !== opened) faults.push(`${opened} elements, ${closing} end tags`);
  if (!/^<!doctype html><html lang="en">/.test(page)) faults.push('no doctype or language');
  for (const name of ['title', 'h1', 'main']) if (!seen.includes(name)) faults.push(`no ${name}`);
  if (seen.filter((name) => name === 'h1').length !== 1) faults.push('not one h1');
  return faults;
}
