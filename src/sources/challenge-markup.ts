import { Parser } from 'htmlparser2';
import { Nesting } from './html-limits.ts';

/** What the check for block pages needs of a page. */
export interface ScannedMarkup {
  readonly title: string;
  /** Visible text, white space folded; cut at MAX_TEXT. */
  readonly text: string;
  readonly headings: readonly string[];
  /** Values of `id`, `name`, `action`, and of `src` of elements other than scripts. */
  readonly attributes: readonly string[];
  readonly classes: readonly string[];
  /** URLs of the scripts, and the text of those that carry no data. */
  readonly scripts: string;
  readonly hasScript: boolean;
  /** Text for browsers without scripts. */
  readonly noscript: string;
  /** The page has a form: block pages that only ask for another browser have none. */
  readonly hasForm: boolean;
  /** A script carries data for the page: without text it is not a shell. */
  readonly hasData: boolean;
  /** False if the page has more parts than MAX_EVENTS: the rest was not scanned. */
  readonly complete: boolean;
}

/**
 * Elements, attributes, pieces of text and comments that are scanned: about 10 ms at most. Recorded block pages have fewer than 1,000; a
 * shell of 100 kB is nearly all script, which is one piece.
 */
export const MAX_EVENTS = 5_000;
const MAX_TEXT = 3_000;
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title']);
const DATA_SCRIPT = /json|data|state/i;
const HEADING = /^h[1-3]$/;

/** Scans the beginning of a page without building a tree. null if it is nested too deeply (html-limits.ts). */
export function scanMarkup(html: string): ScannedMarkup | null {
  const nesting = new Nesting();
  let events = 0;
  const count = (): void => {
    if (++events > MAX_EVENTS) parser.pause();
  };
  let [title, text, scripts, noscript] = ['', '', '', ''];
  let [hasScript, hasData, isData, hasForm] = [false, false, false, false];
  const headings: string[] = [];
  const attributes: string[] = [];
  const classes: string[] = [];
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
      if (attribs.class) classes.push(attribs.class);
      for (const key of ['id', 'name', 'action']) if (attribs[key]) attributes.push(attribs[key]);
      hasForm ||= name === 'form' || name === 'input';
      if (name === 'script') {
        hasScript = true;
        isData = DATA_SCRIPT.test(`${attribs.type ?? ''} ${attribs.id ?? ''}`);
        hasData ||= isData;
        scripts += `${attribs.src ?? ''}\n`;
      } else if (attribs.src) attributes.push(attribs.src);
    },
    onclosetag(name) {
      nesting.closed();
      if (hidden.at(-1) === name) hidden.pop();
      if (heading !== null && HEADING.test(name)) {
        headings.push(fold(heading));
        heading = null;
      }
    },
    ontext(piece) {
      count();
      const within = hidden.at(-1);
      if (within === 'script') {
        if (!isData) scripts += piece;
      } else if (within === 'noscript') noscript = joined(noscript, piece);
      else if (within === 'title' && hidden.length === 1) title = joined(title, piece);
      else if (within === undefined) {
        text = joined(text, piece);
        if (heading !== null) heading = joined(heading, piece);
      }
    },
  });
  const withinLimits = nesting.parse(parser, html);
  const complete = events <= MAX_EVENTS;
  if (!withinLimits && complete) return null;
  return {
    title: fold(title),
    text: fold(text),
    headings,
    attributes,
    classes,
    scripts,
    hasScript,
    noscript: fold(noscript),
    hasForm,
    hasData,
    complete,
  };
}

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** `before` with one more piece, white space folded, no longer than MAX_TEXT. */
function joined(before: string, piece: string): string {
  if (before.length >= MAX_TEXT) return before;
  const folded = piece.replace(/\s+/g, ' ');
  return (before + (before.endsWith(' ') ? folded.trimStart() : folded)).slice(0, MAX_TEXT);
}
