import { type Answer, textOf } from '../../../upstream/answer.ts';
import type { NotFound, Outcome } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Attempt, Ports } from '../../source.ts';
import type { Client, PageRequest } from './client.ts';
import { withFrame } from './lazy-frame.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/**
 * Fetches a page and parses it. If its list is in a lazy frame, fetches the frame once and parses it alone or inserted into the page. A
 * failure of the frame fails the page.
 */
export async function readWithFrame<R>(
  client: Client,
  request: PageRequest,
  pageNumber: number,
  attempt: Attempt,
  ports: Ports,
  read: (answer: Answer) => Promise<Outcome<R>>,
): Promise<Outcome<R> | NotFound> {
  const reply = await client.ask(request, attempt);
  if (reply.tag !== 'answer') return reply;
  const outcome = await read(reply.answer);
  if (outcome.tag !== 'changed') return outcome;
  const frame = await parse(ports, parser('readLazyFrame'), reply.answer, { page: pageNumber }, attempt);
  if (frame === null) return outcome;
  if ('tag' in frame) return frame;
  const { path, id } = frame;
  const inner = await client.ask({ ...request, path, frame: id }, attempt);
  if (inner.tag !== 'answer') return inner;
  const alone = await read(inner.answer);
  if (alone.tag !== 'changed') return alone;
  const joined = withFrame(textOf(reply.answer), textOf(inner.answer));
  return read({ ...reply.answer, body: Buffer.from(joined) });
}
