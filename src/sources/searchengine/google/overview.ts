import type { AiOverview } from '../../../contract/searchengine.ts';
import { attribute, type Element } from '../../../outside/html.ts';
import { closest, find, findAll, has, parentOf } from '../dom/page.ts';
import { isAside, linesOf } from '../dom/text.ts';
import { references } from '../result.ts';
import { targetOf } from './link.ts';
import type { GooglePage } from './organic.ts';

/** Templates that every page carries in case there is no overview; they are drawn by nobody. */
const TEMPLATES =
  /an ai overview is not available|can.t generate an ai overview|visão geral criada por ia|para essa pesquisa não está|keine übersicht mit ki|обзор от ии (недоступен|не)|vista creada con ia|resumen (creado )?con ia|aperçu ia|panoramica (creata )?(con|dall).{0,3}\s?(ia|ai)|ai-overzicht|ai による概要|ai 개요|ai 概览|ai 摘要|przegląd od ai|yapay zeka/i;

export interface Overview {
  readonly value: AiOverview;
  readonly frame: Element;
  readonly order: number;
}

/** The generated answer, where the page has one to read; null where there is none, or only its frame. */
export function readOverview(page: GooglePage): Overview | null {
  const isQuestion = (e: Element): boolean => has(e, 'data-initq') || e.attribs.jsname === 'yEVEwb';
  for (const frame of page.all('overview')) {
    if (closest(frame, isQuestion)) continue;
    // the widest frame counts: lists of references stand beside the text
    const widest = closest(frame, (e) => has(e, 'data-mcpr')) ?? frame;
    const value = readFrame(widest);
    if (value) return { value, frame: widest, order: page.order(frame) };
  }
  return null;
}

function readFrame(frame: Element): AiOverview | null {
  const body = find(frame, (e) => e.attribs['data-container-id'] === 'main-col') ?? frame;
  const cards = cardsOf(frame);
  const cited = new Set(cards.map((card) => card.frame));
  const head = headOf(frame);
  const skip = (e: Element): boolean =>
    isAside(e) ||
    cited.has(e) ||
    e === head ||
    e.attribs.role === 'dialog' ||
    e.attribs.role === 'alert' ||
    e.attribs['data-container-id'] === 'rhs-col' ||
    e.name === 'g-snackbar' ||
    (e.name === 'a' && /[?&]udm=50(&|$)/.test(e.attribs.href ?? '')) ||
    isPill(e) ||
    isNotice(e);
  const text = linesOf(body, skip)
    .map((line) => line.text)
    .filter((line) => !(TEMPLATES.test(line) && line.length < 260))
    .join('\n');
  return text === '' ? null : { text, references: references(cards) };
}

/** The mark behind a sentence that opens its sources. */
const isPill = (e: Element): boolean => e.name === 'span' && hasPillButton(e);
const hasPillButton = (e: Element): boolean =>
  find(e, (c) => c.name === 'button' && (has(c, 'data-icl-uuid') || has(c, 'data-amic'))) !== null;
/** What stands under a block of code, beside its copy button. */
const isNotice = (e: Element): boolean =>
  e.name === 'div' &&
  has(e, 'data-animation-atomic') &&
  find(e, (c) => c.name === 'pre') === null &&
  find(e, (c) => c.name === 'button') !== null;

/** The overview's own heading; the templates stand beside it, under the same parent. */
function headOf(frame: Element): Element | null {
  const heading = find(
    frame,
    (e) => e.name === 'h1' || (e.attribs.role === 'heading' && (e.attribs['aria-level'] === '2' || e.attribs['aria-level'] === '1')),
  );
  if (!heading) return null;
  const parent = parentOf(heading);
  return parent && parent !== frame && linesOf(parent).length <= 6 ? parent : heading;
}

interface Card {
  readonly frame: Element;
  readonly url: string;
  readonly title: string;
}
/** Cards of cited pages: a list item with one labelled link, whose label begins with a line of the card and ends in the reader's language. */
function cardsOf(frame: Element): Card[] {
  const cards: Card[] = [];
  const marked = findAll(frame, (e) => has(e, 'data-src-id'));
  const frames = marked.length ? marked : findAll(frame, (e) => e.name === 'li');
  for (const card of frames) {
    const links = findAll(
      card,
      (e) => e.name === 'a' && has(e, 'aria-label') && has(e, 'href') && !closest(e, (a) => a.attribs['aria-hidden'] === 'true'),
    );
    const [link] = links;
    const label = link && attribute(link, 'aria-label')?.normalize('NFC').replace(/\s+/g, ' ').trim();
    if (!link || !label || links.length > 1) continue;
    const target = targetOf(attribute(link, 'href'));
    if (target.kind !== 'outside' || /^https?:\/\/support\.google\.com\//.test(target.url)) continue;
    const line = linesOf(card, () => false)
      .map((l) => l.text)
      .filter((text) => label.startsWith(text))
      .sort((a, b) => b.length - a.length)[0];
    if (!line && !marked.length) continue;
    if (!marked.length && hasPillButton(card)) continue;
    cards.push({ frame: card, url: target.url, title: line ?? withoutTail(label) });
  }
  return cards;
}
/** "Title. Opens in new tab." without its last sentence. */
const withoutTail = (label: string): string => /^(.+?)\.\s[^.]+\.?$/s.exec(label)?.[1] ?? label;
