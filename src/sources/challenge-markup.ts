import { Parser } from 'htmlparser2';
import { Nesting } from './html-limits.ts';

/** Parts of a page that are scanned: 10 ms at most. Recorded block pages have fewer than 1,000, and a script is one part. */
export const MAX_EVENTS = 5_000;
const MAX_TEXT = 3_000;
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title']);
const DATA_SCRIPT = /json|data|state/i;
const HEADING = /^h[1-3]$/;

const newMarkup = () => ({
  title: '',
  /** Visible text, white space folded; cut at MAX_TEXT. */
  text: '',
  headings: [] as string[],
  /** Values of `id`, `name`, `action`, and of `src` of elements other than scripts. */
  attributes: [] as string[],
  classes: [] as string[],
  /** URLs of the scripts, and the text of those that carry no data. */
  scripts: '',
  hasScript: false,
  noscript: '',
  /** The page has a form: block pages that only ask for another browser have none. */
  hasForm: false,
  /** A script carries data for the page: without text it is not a shell. */
  hasData: false,
  /** False if the page has more parts than MAX_EVENTS: the rest was not scanned. */
  complete: true,
});
export type ScannedMarkup = ReturnType<typeof newMarkup>;

/** Scans the beginning of a page without building a tree. null if it is nested too deeply (html-limits.ts). */
export function scanMarkup(html: string): ScannedMarkup | null {
  const nesting = new Nesting();
  const page = newMarkup();
  let events = 0;
  const count = (): void => {
    page.complete = ++events <= MAX_EVENTS;
    if (!page.complete) parser.pause();
  };
  let isData = false;
  const hidden: string[] = [];
  let heading: string | null = null;
  const parser = new Parser({
    onattribute: count,
    oncomment: count,
    onopentag(name, attribs) {
      count();
      nesting.opened();
      if (HIDDEN.has(name)) hidden.push(name);
      if (HEADING.test(name)) heading = '';
      if (attribs.class) page.classes.push(attribs.class);
      for (const key of ['id', 'name', 'action']) if (attribs[key]) page.attributes.push(attribs[key]);
      page.hasForm ||= name === 'form' || name === 'input';
      if (name === 'script') {
        page.hasScript = true;
        isData = DATA_SCRIPT.test(`${attribs.type ?? ''} ${attribs.id ?? ''}`);
        page.hasData ||= isData;
        page.scripts += `${attribs.src ?? ''}\n`;
      } else if (attribs.src) page.attributes.push(attribs.src);
    },
    onclosetag(name) {
      nesting.closed();
      if (hidden.at(-1) === name) hidden.pop();
      if (heading !== null && HEADING.test(name)) {
        page.headings.push(fold(heading));
        heading = null;
      }
    },
    ontext(piece) {
      count();
      const within = hidden.at(-1);
      if (within === 'script' && !isData) page.scripts += piece;
      else if (within === 'noscript') page.noscript = joined(page.noscript, piece);
      else if (within === 'title' && hidden.length === 1) page.title = joined(page.title, piece);
      else if (within === undefined) {
        page.text = joined(page.text, piece);
        if (heading !== null) heading = joined(heading, piece);
      }
    },
  });
  const withinLimits = nesting.parse(parser, html);
  if (!withinLimits && page.complete) return null;
  return { ...page, title: fold(page.title), text: fold(page.text), noscript: fold(page.noscript) };
}

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();
function joined(before: string, piece: string): string {
  if (before.length >= MAX_TEXT) return before;
  const folded = piece.replace(/\s+/g, ' ');
  return (before + (before.endsWith(' ') ? folded.trimStart() : folded)).slice(0, MAX_TEXT);
}
