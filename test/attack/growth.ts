import type { Sample } from './reader-samples.ts';

/** A way to enlarge an answer: `grown` returns its text with about `size` more characters. */
export interface Shape {
  readonly name: string;
  readonly grown: (size: number) => string;
}

/** Repeated text that replaces a valid value and slows down regular expressions and scanners. */
const RUNS: readonly string[] = [
  ' ',
  '\u3000',
  '\n',
  ' \n',
  '\t\n x',
  'a',
  'é',
  '9',
  '9,',
  '1 ',
  '.',
  'a.',
  '-',
  ':',
  '/',
  '(',
  '[',
  '#',
  '@',
  '%',
  '&',
  '&lt;',
  '&amp;#',
  '=',
  '?a=',
  '"',
  "'",
  '·',
  '›',
  '“',
  '<',
  '</',
  'http://',
  'https://t.co/',
  'status/1',
];
const run = (text: string, size: number): string => (text === '' ? '' : text.repeat(Math.ceil(size / text.length)));

type Path = readonly (string | number)[];
function visitJson(value: unknown, path: Path, visit: (path: Path, value: unknown) => void): void {
  visit(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) visitJson(inner, [...path, Array.isArray(value) ? Number(key) : key], visit);
}
function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.map((inner, i) => (i === key ? withValue(inner, rest, value) : inner));
  return { ...(root as object), [key]: withValue((root as Record<string, unknown>)[key], rest, value) };
}
/** Objects of a list are alike: one object of each kind is enough. */
const kindOf = (path: Path): string => path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');

const deepList = (size: number): string => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`;
const deepObject = (size: number): string => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`;
const HOLE = '\u0001hole\u0001';

/** String values of a document, including strings that are documents themselves (such as the HTML of an embed). */
function* jsonShapes(sample: Sample): Generator<Shape> {
  const root: unknown = JSON.parse(sample.text);
  const places = new Map<string, { path: Path; value: unknown }>();
  visitJson(root, [], (path, value) => {
    if (!places.has(kindOf(path))) places.set(kindOf(path), { path, value });
  });
  const holed = (path: Path): ((text: string) => string) => {
    const [before = '', after = ''] = JSON.stringify(withValue(root, path, HOLE)).split(JSON.stringify(HOLE));
    return (text) => before + text + after;
  };
  for (const [kind, { path, value }] of places) {
    const fill = holed(path);
    if (typeof value === 'string') {
      for (const text of RUNS) {
        yield { name: `${kind}: runs of ${JSON.stringify(text)}`, grown: (size) => fill(JSON.stringify(run(text, size))) };
        yield {
          name: `${kind}: itself, then runs of ${JSON.stringify(text)}`,
          grown: (size) => fill(JSON.stringify(`${value} ${run(text, size)}x`)),
        };
      }
      if (value.includes('<')) {
        for (const shape of htmlShapes(value))
          yield { name: `${kind}: ${shape.name}`, grown: (size) => fill(JSON.stringify(shape.grown(size))) };
      }
    }
    yield { name: `${kind}: a deep list`, grown: (size) => fill(deepList(size)) };
    yield { name: `${kind}: a deep object`, grown: (size) => fill(deepObject(size)) };
    yield { name: `${kind}: digits`, grown: (size) => fill(`1${'0'.repeat(size)}`) };
    yield { name: `${kind}: a list of numbers`, grown: (size) => fill(`[${run('1,', size)}1]`) };
    yield { name: `${kind}: a list of texts`, grown: (size) => fill(`[${run('"x",', size)}"y"]`) };
    yield { name: `${kind}: a list of empty objects`, grown: (size) => fill(`[${run('{},', size)}{}]`) };
    if (Array.isArray(value) && value.length > 0) {
      const text = JSON.stringify(value).slice(1, -1);
      yield { name: `${kind}: many times`, grown: (size) => fill(`[${run(`${text},`, size)}${text}]`) };
      yield { name: `${kind}: many times, each different`, grown: (size) => fill(`[${numbered(text, size)}]`) };
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const text = JSON.stringify(value).slice(1, -1);
      yield { name: `${kind}: many keys`, grown: (size) => fill(`{${manyKeys(size)}${text === '' ? '"z":1' : text}}`) };
      yield { name: `${kind}: the same keys again`, grown: (size) => fill(`{${text === '' ? '' : run(`${text},`, size)}"z":1}`) };
      yield { name: `${kind}: many entries like its first`, grown: (size) => fill(`{${entries(Object.values(value)[0], size)}}`) };
    }
  }
}
function manyKeys(size: number): string {
  let text = '';
  for (let i = 0; text.length < size; i++) text += `"k${i}":{"a":1},`;
  return text;
}
function entries(value: unknown, size: number): string {
  const text = JSON.stringify(value) ?? '1';
  const parts: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    parts.push(`"k${i}":${text}`);
    length += text.length + 10;
  }
  return parts.join(',');
}
/** Copies with unique ids and URLs. */
function numbered(text: string, size: number): string {
  const parts: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const part = text.replace(/"(id|name|url|link|media_key|tag|text|title|rest_id|aweme_id|handle|ldhName)":"([^"]*)"/g, `"$1":"$2${i}"`);
    parts.push(part);
    length += part.length;
  }
  return parts.join(',');
}

const TAGS = ['div', 'p', 'b', 'a', 'span', 'li', 'dl', 'table', 'td', 'option', 'svg', 'select', 'h2', 'turbo-frame', 'blockquote'];
/** Markup that may occur anywhere in a page. */
const MARKUP: readonly (readonly [name: string, grown: (size: number) => string])[] = [
  ...TAGS.map((tag) => [`nested <${tag}>`, (size: number) => run(`<${tag}>`, size)] as const),
  ...TAGS.map((tag) => [`nested <${tag}> with text`, (size: number) => run(`<${tag}>x `, size)] as const),
  ...TAGS.map((tag) => [`<${tag}> side by side, each in a <div>`, (size: number) => run(`<div><${tag}>x</${tag}></div>`, size)] as const),
  ...TAGS.map((tag) => [`stray </${tag}>`, (size: number) => run(`</${tag}>`, size)] as const),
  ...TAGS.map((tag) => [`<div>s, then stray </${tag}>`, (size: number) => run('<div>', size / 2) + run(`</${tag}>`, size / 2)] as const),
  ['nested links', (size) => run('<a href="/tag/x">', size)],
  ['links side by side', (size) => run('<a href="/tag/x" title="y">z</a>', size)],
  ['images', (size) => run('<img src="x">', size)],
  ['line breaks', (size) => run('a<br>\n', size)],
  ['blank text and breaks', (size) => `${run(' ', size)}<br>x`],
  ['empty paragraphs', (size) => run('<p></p>', size)],
  ['text and tags', (size) => run('x<b>y</b>', size)],
  ['open comments', (size) => run('<!--', size)],
  ['comments', (size) => run('<!-- -->', size)],
  ['open scripts', (size) => run('<script ', size)],
  ['scripts without an end', (size) => run('<script>', size)],
  ['scripts', (size) => run('<script>1</script>', size)],
  ['script options', (size) => run('_cf_chl_opt', size)],
  ['styles without an end', (size) => run('<style>', size)],
  ['titles', (size) => run('<title>', size)],
  ['drawings', (size) => run('<svg><path d="1"/></svg>', size)],
  ['drawings without an end', (size) => run('<svg x="', size)],
  ['drawings within drawings', (size) => run('<svg><g>', size)],
  ['attributes', (size) => `<div ${run('a="1" ', size)}>`],
  ['different attributes', (size) => `<div ${manyAttributes(size)}>`],
  ['a long attribute', (size) => `<div data-x="${run('a b', size)}">`],
  ['a long class', (size) => `<div class="${run('a ', size)}">`],
  ['a long style', (size) => `<div style="${run('display ', size)}none">`],
  ['a long address', (size) => `<a href="${run('/?&', size)}">x</a>`],
  ['a long label', (size) => `<div aria-label="${run('Page 1 ', size)}">x</div>`],
  ['tags without an end', (size) => run('<div id="challenge-', size)],
  ['meta', (size) => run('<meta charset', size)],
  ['frames', (size) => run('<turbo-frame src=x>', size)],
  ['definitions', (size) => run('<dt>Pricing</dt><dd>', size)],
  ['headings', (size) => run('<h2>Developer</h2>', size)],
  ['lists', (size) => run('<ul><li>x</li></ul>', size)],
  ['lists within lists', (size) => run('<ul><li>', size)],
  ['quotes', (size) => run('<blockquote><p>', size)],
  ['character references', (size) => run('&amp;&#x41;&nosuch;', size)],
];
function manyAttributes(size: number): string {
  const parts: string[] = [];
  for (let i = 0; i * 8 < size; i++) parts.push(`a${i}="1"`);
  return parts.join(' ');
}

const every = <T>(list: readonly T[], most: number): T[] => {
  const step = Math.max(1, list.length / most);
  return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step) || i === 0);
};

function* htmlShapes(text: string, most = 24): Generator<Shape> {
  const seen = new Set<string>();
  const spots: { from: number; to: number }[] = [];
  for (const match of text.matchAll(/>([^<>]+)<|="([^"<>]+)"/g)) {
    const value = match[1] ?? match[2] ?? '';
    const from = match.index + match[0].indexOf(value, 1);
    const context = text.slice(Math.max(0, match.index - 14), match.index + 1).replace(/\d+/g, '0');
    if (value.trim() === '' || seen.has(context)) continue;
    seen.add(context);
    spots.push({ from, to: from + value.length });
  }
  for (const { from, to } of every(spots, most)) {
    const before = text.slice(0, to);
    const after = text.slice(to);
    for (const one of RUNS)
      yield {
        name: `${text
          .slice(Math.max(0, from - 30), to)
          .trim()
          .slice(0, 60)}: runs of ${JSON.stringify(one)}`,
        grown: (size) => before + run(one, size) + after,
      };
  }
  // positions where elements may occur: after the first tag, in the middle, at the end
  const ends = [...text.matchAll(/<\w[^<>]*>/g)].map((match) => match.index + match[0].length);
  for (const at of every(ends, 6)) {
    for (const [name, grown] of MARKUP)
      yield {
        name: `${name} behind ${text.slice(Math.max(0, at - 40), at)}`,
        grown: (size) => text.slice(0, at) + grown(size) + text.slice(at),
      };
  }
  for (const at of every(ends, 30)) {
    const element = text.slice(text.lastIndexOf('<', at), at);
    yield { name: `nested ${element}`, grown: (size) => text.slice(0, at) + run(element, size) + text.slice(at) };
    yield { name: `${element} side by side`, grown: (size) => text.slice(0, at) + run(`</x>${element}y`, size) + text.slice(at) };
  }
  for (const [from, to] of [
    [0.2, 0.4],
    [0.4, 0.6],
    [0.6, 0.8],
    [0.1, 0.9],
  ] as const) {
    const [begin, end] = [ends[Math.floor(ends.length * from)] ?? 0, ends[Math.floor(ends.length * to)] ?? 0];
    yield {
      name: `${from} to ${to} of the page many times`,
      grown: (size) => text.slice(0, end) + run(text.slice(begin, end), size) + text.slice(end),
    };
  }
  yield { name: 'the page many times', grown: (size) => run(text, size) };
}

function* whoisShapes(text: string): Generator<Shape> {
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    const before = lines.slice(0, i + 1).join('\n');
    const after = `\n${lines.slice(i + 1).join('\n')}`;
    for (const one of RUNS) yield { name: `${line}: runs of ${JSON.stringify(one)}`, grown: (size) => before + run(one, size) + after };
    yield { name: `${line}: many times`, grown: (size) => before + run(`\n${line}`, size) + after };
    yield { name: `${line}: many times, each different`, grown: (size) => before + different(line, size) + after };
  }
  for (const one of RUNS) yield { name: `lines of ${JSON.stringify(one)}`, grown: (size) => `${text}${run(`${one}\n`, size)}` };
  yield { name: 'the text many times', grown: (size) => run(text, size) };
  yield { name: 'headings', grown: (size) => text + run('\nRegistrant:\n  name: x\n', size) };
  yield { name: 'objects', grown: (size) => text + run('\n\ncontact: A1\nname: x\n', size) };
}
function different(line: string, size: number): string {
  const parts: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    parts.push(`\n${line}${i}`);
    length += line.length + 5;
  }
  return parts.join('');
}

/** Answers without any data that a reader knows: it must distinguish a block page from an unknown shape. */
function* foreignShapes(): Generator<Shape> {
  for (const one of RUNS) {
    yield { name: `nothing but runs of ${JSON.stringify(one)}`, grown: (size) => run(one, size) };
    yield { name: `a page of ${JSON.stringify(one)}`, grown: (size) => `<!doctype html><html><body>${run(one, size)}</body></html>` };
  }
  for (const [name, grown] of MARKUP) {
    yield { name: `nothing but ${name}`, grown };
    yield {
      name: `a page of ${name}`,
      grown: (size) => `<!doctype html><html><head></head><body><main>${grown(size)}</main></body></html>`,
    };
  }
  yield { name: 'nothing but a deep list', grown: deepList };
  yield { name: 'nothing but a deep object', grown: deepObject };
}

/** All shapes by which the tests enlarge an answer of this reader. */
export function* shapesOf(sample: Sample): Generator<Shape> {
  if (sample.reader === 'registration/whois') yield* whoisShapes(sample.text);
  else if (/^\s*[[{]/.test(sample.text)) yield* jsonShapes(sample);
  else yield* htmlShapes(sample.text);
  yield* foreignShapes();
}
