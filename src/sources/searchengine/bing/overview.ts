import type { AiOverview } from '../../../contract/operations/searchengine.ts';
import { attribute, type Element } from '../../html.ts';
import { closest, find, findAll, has, parentOf } from '../dom/page.ts';
import { isOverlay, type Line, linesOf, textOf } from '../dom/text.ts';
import { isEngineLine } from '../engine-lines.ts';
import { references } from '../result.ts';
import type { BingPage } from './entries.ts';
import { resultTarget } from './link.ts';

export interface Overview {
  readonly value: AiOverview;
  readonly block: Element;
  readonly order: number;
}

/** The generated answer above the list. Only a block with readable text counts. */
export function readOverview(page: BingPage): Overview | null {
  const places = ['b_topw', 'b_results', 'b_pole'];
  // the answer within the list takes precedence: the one above it is surrounded by a conversation
  const signals = page.all('generated');
  const inList = (e: Element): boolean => closest(e, (a) => a.attribs.id === 'b_results') !== null;
  for (const signal of [...signals.filter(inList), ...signals.filter((e) => !inList(e))]) {
    const block = closest(signal, (e) => places.includes(parentOf(e)?.attribs.id ?? '')) ?? signal;
    if (closest(block, (e) => e.attribs.id === 'b_context')) continue;
    const isBesides = (e: Element): boolean => isOverlay(e) || e.name === 'sup' || /fdbk|_ttip/.test(e.attribs.class ?? '');
    const text = linesOf(block, (e) => isBesides(e) || hasHide(e))
      .map((line) => line.text)
      .filter((line) => !isEngineLine(line))
      .join('\n');
    if (text === '') continue;
    const isDropped = (line: Line): boolean =>
      !line.linked && line.text.length >= SENTENCE && !isEngineLine(line.text) && !text.includes(line.text);
    if (linesOf(block, isBesides).some(isDropped)) page.unread.note('aiOverview.text');
    const links = findAll(block, (e) => e.name === 'a' && has(e, 'href') && !/^\d+$/.test(textOf(e) ?? ''));
    const cited = links.map((a) => {
      const title = find(a, (e) => /^h\d$/.test(e.name));
      return { url: resultTarget(attribute(a, 'href')), title: title ? textOf(title) : null };
    });
    return { value: { text, references: references(cited) }, block, order: page.order(signal) };
  }
  return null;
}
/** Characters from which a hidden line is a sentence of an answer and no label. */
const SENTENCE = 40;
const hasHide = (e: Element): boolean => / b_hide /.test(` ${e.attribs.class ?? ''} `);
