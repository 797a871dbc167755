import { type Answer, textOf } from '../../../upstream/answer.ts';
import type { NotFound, Outcome } from '../../outcome.ts';
import { parse } from '../../parsers.ts';
import type { Attempt, Ports } from '../../source.ts';
import type { Client, Question } from './client.ts';

const FRAME_TAG = /<turbo-frame\b[^<>]*>/gi;

/** The page with `content` in the place of its first frame that is still to be fetched. */
function withFrame(html: string, content: string): string {
  for (const { 0: tag, index } of html.matchAll(FRAME_TAG)) {
    if (!/\ssrc=/i.test(tag)) continue;
    const end = html.slice(index).search(/<\/turbo-frame\s*>/i);
    if (end < 0) return html;
    const after = html.indexOf('>', index + end) + 1;
    return html.slice(0, index) + content + html.slice(after);
  }
  return html;
}

/**
 * Asks for a page and reads it; where its list stands behind a frame, that is asked for too, once, and read alone or in its place in
 * the page. A failure of the frame is the failure of the page.
 */
export async function readWithFrame<R>(
  client: Client,
  question: Question,
  pageNumber: number,
  attempt: Attempt,
  ports: Ports,
  read: (answer: Answer) => Promise<Outcome<R>>,
): Promise<Outcome<R> | NotFound> {
  const reply = await client.ask(question, attempt);
  if (reply.tag !== 'answer') return reply;
  const outcome = await read(reply.answer);
  if (outcome.tag !== 'changed') return outcome;
  const frame = await parse(ports, 'appmarket/lazy-frame', reply.answer, { page: pageNumber }, attempt);
  if (frame === null) return outcome;
  if ('tag' in frame) return frame;
  const { path, id } = frame;
  const inner = await client.ask({ ...question, path, frame: id }, attempt);
  if (inner.tag !== 'answer') return inner;
  const alone = await read(inner.answer);
  if (alone.tag !== 'changed') return alone;
  const joined = withFrame(textOf(reply.answer), textOf(inner.answer));
  return read({ ...reply.answer, body: Buffer.from(joined) });
}
