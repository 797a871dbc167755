/** Texts up to this length are parsed at once, in a few milliseconds. */
const AT_ONCE = 200_000;
const SLICE = 300_000;
/** Strings, and what stands between values. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|[[\]{},]/gs;

function itemsOf(text: string): unknown[] {
  const items = JSON.parse(`[${text}]`) as unknown[];
  if (items.length === 0) throw new SyntaxError('The answer has a comma without a value after it.');
  return items;
}

/**
 * `JSON.parse` for large answers: arrays that are members of the root are parsed 300 kB at a time, and the browser paints and handles input
 * in between. Throws SyntaxError as JSON.parse does.
 */
export async function parseInSlices(text: string, sliceLength = SLICE): Promise<unknown> {
  if (text.length <= AT_ONCE || !/^\s*\{/.test(text)) return JSON.parse(text);
  /** The text without the items of large arrays, which are here by their member. */
  let shell = '';
  const large = new Map<string, unknown[]>();
  let copied = 0;
  let depth = 0;
  let member = '""';
  /** Items of the array at depth 2 so far, and where the next slice begins. */
  let items: unknown[] | null = null;
  let begin = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '[' || token === '{') {
      depth++;
      if (depth !== 2 || token === '{') continue;
      items = [];
      begin = index + 1;
    } else if (token === ']' || token === '}') {
      depth--;
      if (depth !== 1 || !items) continue;
      if (items.length > 0) {
        for (const item of itemsOf(text.slice(begin, index))) items.push(item);
        large.set(JSON.parse(member) as string, items);
        copied = index;
      }
      items = null;
    } else if (token !== ',') {
      if (depth === 1) member = token;
    } else if (depth === 2 && items && index - begin > sliceLength) {
      if (items.length === 0) shell += text.slice(copied, begin);
      for (const item of itemsOf(text.slice(begin, index))) items.push(item);
      begin = index + 1;
      await new Promise((resume) => setTimeout(resume));
    }
  }
  const root = JSON.parse(shell + text.slice(copied)) as Record<string, unknown[]>;
  for (const [name, found] of large) for (const item of found) root[name]?.push(item);
  return root;
}
