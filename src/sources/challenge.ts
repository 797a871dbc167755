import { Parser } from 'htmlparser2';
import type { Answer, Reply } from '../upstream/answer.ts';
import type { Http, Whois } from '../upstream/ports.ts';
import { pageText } from './html/markup.ts';
import { Nesting } from './html/page.ts';
import { blocked, type NotFound } from './outcome.ts';
import { patternsIn } from './tables.ts';

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
/** Scans the beginning of a page without building a tree. null if it is nested too deeply. */
export function scanMarkup(html: string): ReturnType<typeof newMarkup> | null {
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
  if (!nesting.parse(parser, html) && page.complete) return null;
  return { ...page, title: fold(page.title), text: fold(page.text), noscript: fold(page.noscript) };
}

const fold = (text: string): string => text.replace(/\s+/g, ' ').trim();
function joined(before: string, piece: string): string {
  if (before.length >= MAX_TEXT) return before;
  const folded = piece.replace(/\s+/g, ' ');
  return (before + (before.endsWith(' ') ? folded.trimStart() : folded)).slice(0, MAX_TEXT);
}

/**
 * Captcha or proof of work; consent; a page without content until its scripts run; a price that crawlers are to pay. They outrank the HTTP
 * status at every source.
 */
export type Challenge = 'challenge' | 'consent' | 'shell' | 'price';

const WORDS: Readonly<Record<Challenge, string>> = {
  challenge: 'The source asks for proof that a person is asking, which this service does not give.',
  consent: 'The source asks for consent to its conditions before it answers.',
  shell: 'The source answered with a page that holds no data until its scripts run.',
  price: 'The source asks crawlers to pay for its pages, which this service does not do',
};

/** Challenge pages have some ten kilobytes, shells up to a hundred; larger documents are left to their parser. */
const MAX_BYTES = 150_000;
/** A page with more visible text than this is an ordinary page, unless it has a mark that only challenges have. */
const SHORT_TEXT = 1_500;
const SHELL_TEXT = 120;

const marks = patternsIn(new URL('./challenge-marks.tsv', import.meta.url));
const CHALLENGE_ADDRESS = marks('address');
const CONSENT_ADDRESS = marks('consent address');
const CHALLENGE_SCRIPT = marks('script', '', '', '');
const CHALLENGE_ATTRIBUTE = marks('attribute', '', '', '');
const CAPTCHA_CLASS = marks('captcha class', '', '', '');
const CAPTCHA_PART = marks('captcha part');
const CAPTCHA_SCRIPT = marks('captcha script', '', '', '');
const WHOLE_TITLE = marks('phrase', '^(?:[\\w .]{1,30} - )?', '[\\s.…!?]*(?:\\| cloudflare)?$');
const TEXT_START = marks('phrase', '^');
const CONSENT_TITLE = marks('consent title');
const ERROR_WORDS = marks('error');
const JAVASCRIPT = marks('scripts');
const BROWSER = marks('browser');
const JSON_CHALLENGE = marks('json', '', '', '');
/** A page that only asks for scripts or for another browser has no more text than this. */
const NOTICE_TEXT = 600;

function inMarkup(html: string): Challenge | null {
  const seen = scanMarkup(html);
  if (seen === null) return null;
  const { title, text, headings, attributes, classes, scripts, hasScript, hasData, complete } = seen;
  const has = (mark: RegExp, values = attributes): boolean => values.some((value) => mark.test(value));
  if (CHALLENGE_SCRIPT.test(scripts) || has(CHALLENGE_ATTRIBUTE) || has(CHALLENGE_ATTRIBUTE, classes) || WHOLE_TITLE.test(title))
    return 'challenge';
  const isShort = complete && text.length < SHORT_TEXT && !hasData;
  if (
    isShort &&
    (has(CAPTCHA_PART) ||
      has(CAPTCHA_CLASS, classes) ||
      CAPTCHA_SCRIPT.test(scripts) ||
      TEXT_START.test(text) ||
      headings.some((heading) => TEXT_START.test(heading)))
  )
    return 'challenge';
  if (CONSENT_TITLE.test(title) && !hasData) return 'consent';
  if (!complete || hasData) return null;
  if (hasScript && text.length < SHELL_TEXT && !ERROR_WORDS.test(text)) return 'shell';
  return !seen.hasForm && asksForBrowser(`${title} ${text}`, text.length < SHELL_TEXT ? seen.noscript : '') ? 'shell' : null;
}

/** A short page whose only statement is that scripts are switched off or that the browser is too old, in any language. */
function asksForBrowser(shown: string, noscript: string): boolean {
  if (shown.length > NOTICE_TEXT) return false;
  return JAVASCRIPT.test(shown) || JAVASCRIPT.test(noscript) || (BROWSER.test(shown) && !ERROR_WORDS.test(shown));
}

/** The kind of block page that an answer is, whatever its status; null: the answer may be parsed. */
export function challengeIn(answer: Answer): Challenge | null {
  const { headers, body, url } = answer;
  const action = headers['x-amzn-waf-action'] ?? headers['cf-mitigated'] ?? '';
  if (answer.status === 402 && headers['crawler-price'] !== undefined) return 'price';
  if (/challenge|captcha/i.test(action) || headers['x-vc-bdturing-parameters'] !== undefined) return 'challenge';
  for (const address of [url, headers.location ?? '']) {
    if (CHALLENGE_ADDRESS.test(address)) return 'challenge';
    if (CONSENT_ADDRESS.test(address)) return 'consent';
  }
  if (answer.encoded || body.length === 0 || body.length > MAX_BYTES) return null;
  const text = pageText(answer);
  const start = /\S/.exec(text)?.[0];
  if (start === '{') return JSON_CHALLENGE.test(text.slice(0, 8_000)) ? 'challenge' : null;
  return start === '<' && !/^\s*<\?xml/i.test(text) ? inMarkup(text) : null;
}

/** The price that an answer states for crawlers (Cloudflare, pay per crawl): "USD 0.01"; the first of several. */
const PRICE =
  /^[\s"']*((?:[A-Za-z]{3}|\p{Sc}) ?\d{1,9}(?:\.\d{1,9})?|\d{1,9}(?:\.\d{1,9})? ?(?:[A-Za-z]{3}|\p{Sc}))[\s"']*(?:$|;|,(?!\d))/u;
const priceIn = ({ headers }: Answer): string => PRICE.exec(headers['crawler-price'] ?? '')?.[1] ?? 'not readable';

/** A shell is not `known`: a platform that changes may send one. */
const blockedBy = (kind: Challenge, answer: Answer) => ({
  ...blocked(
    kind === 'price' ? `${WORDS.price}: the price of a request is ${priceIn(answer)}.` : WORDS[kind],
    `${kind}, HTTP ${answer.status}`,
  ),
  ...(kind !== 'shell' && { known: true as const }),
});

export function outcomeOfChallenge(answer: Answer): NotFound | null {
  const kind = challengeIn(answer);
  return kind && blockedBy(kind, answer);
}

/** A reply with a block page replaced by `blocked`. A robots.txt that is HTML without a challenge forbids nothing (RFC 9309): it passes. */
export function screenReply(reply: Reply): Reply {
  if (reply.tag !== 'answer') return reply;
  const kind = challengeIn(reply.answer);
  if (kind === null || (kind !== 'challenge' && /\/robots\.txt$/.test(reply.answer.url))) return reply;
  return blockedBy(kind, reply.answer);
}

const screened = new WeakMap<object, object>();
/** Ports whose answers are checked for challenges first: every source is opened with them. One copy per original, so that sources share it. */
export function screenPorts<Ports extends { readonly http: Http; readonly whois: Whois }>(ports: Ports): Ports {
  const known = screened.get(ports);
  if (known) return known as Ports;
  const http: Http = { ask: async (request) => screenReply(await ports.http.ask(request)) };
  const whois: Whois = { ask: async (request) => screenReply(await ports.whois.ask(request)) };
  const own: Ports = { ...ports, http, whois };
  screened.set(ports, own);
  screened.set(own, own);
  return own;
}
