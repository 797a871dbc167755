/** Texts up to this length are parsed at once, in a few milliseconds. */
const AT_ONCE = 200_000;
const SLICE = 300_000;

/** Lets the browser paint and handle input. A message, because nested timers wait 4 ms each. */
function pause(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}

const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (' \n\r\t'.includes(text[at] ?? '-')) at++;
  return at;
};

/** Throws where the text is cut off or has something else at a place. */
function demand(holds: boolean, at: number): void {
  if (!holds) throw new SyntaxError(`The answer is cut off or is no JSON, at character ${at}.`);
}

/** The end of the string that begins at `from`: the index after its closing quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}

const NEXT = /["[\]{},]/g;

/** The end of the value that begins at `from`: the index after it. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  for (;;) {
    NEXT.lastIndex = at;
    const found = NEXT.exec(text);
    if (!found) return text.length;
    at = found.index;
    const c = found[0];
    if (c === '"') {
      at = endOfString(text, at);
      if (depth === 0) return at;
      continue;
    }
    if (depth === 0 && (c === ',' || c === ']' || c === '}')) return at;
    if (c === '[' || c === '{') depth++;
    else if (c !== ',') depth--;
    at++;
    if (depth === 0 && c !== ',') return at;
  }
}

/** The elements of the array that begins at `from`, parsed a slice at a time, and the index after it. */
async function arrayAt(text: string, from: number): Promise<[value: unknown[], end: number]> {
  const found: unknown[] = [];
  let begin = skipSpace(text, from + 1);
  let at = begin;
  while (at < text.length && text[at] !== ']') {
    at = skipSpace(text, endOfValue(text, at));
    const more = text[at] === ',';
    demand(more || text[at] === ']', at);
    if (!more || at - begin > SLICE) {
      for (const element of JSON.parse(`[${text.slice(begin, at)}]`) as unknown[]) found.push(element);
      begin = at + 1;
      if (more) await pause();
    }
    if (more) {
      at = skipSpace(text, at + 1);
      demand(text[at] !== ']', at);
    }
  }
  demand(text[at] === ']', at);
  return [found, at + 1];
}

/**
 * `JSON.parse` for large answers: an object whose members are parsed one by one, and their arrays 300 kB at a time, so that no
 * task of the page takes long. Throws SyntaxError as JSON.parse does.
 */
export async function parseInSlices(text: string): Promise<unknown> {
  const first = skipSpace(text, 0);
  if (text.length <= AT_ONCE || text[first] !== '{') return JSON.parse(text);
  const members: [string, unknown][] = [];
  let at = skipSpace(text, first + 1);
  while (at < text.length && text[at] !== '}') {
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const colon = skipSpace(text, nameEnd);
    demand(text[colon] === ':', colon);
    at = skipSpace(text, colon + 1);
    if (text[at] === '[') {
      const [value, end] = await arrayAt(text, at);
      members.push([name, value]);
      at = end;
    } else {
      const end = endOfValue(text, at);
      members.push([name, JSON.parse(text.slice(at, end))]);
      at = end;
    }
    at = skipSpace(text, at);
    if (text[at] === ',') {
      at = skipSpace(text, at + 1);
      demand(text[at] === '"', at);
    } else demand(text[at] === '}', at);
  }
  demand(text[at] === '}' && skipSpace(text, at + 1) === text.length, at);
  return Object.fromEntries(members);
}
