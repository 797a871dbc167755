import { cutTo, joined, unlinked } from '../message.ts';
import { json, type Render } from './form.ts';

const NTFY = { title: 250, message: 3_900 };
/** A text of at most so many bytes of UTF-8. */
function cutToBytes(text: string, most: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > most) cut = cutTo(cut, Math.max(1, cut.length - Math.ceil((Buffer.byteLength(cut) - most) / 4)));
  return cut;
}
/** JSON to the server's root, with the topic and the query of the address, `auth` of a protected topic (docs.ntfy.sh/publish). Its messages are plain unless they say otherwise. */
export const ntfy: Render = ({ title, lines, link }, url) => {
  const { origin, pathname, search } = new URL(url);
  const [topic = '', ...base] = pathname.split('/').filter(Boolean).reverse();
  return json(`${origin}/${base.reverse().join('/')}${search}`, {
    topic,
    title: cutTo(joined(title, unlinked), NTFY.title),
    message: cutToBytes(lines.map((line) => joined(line, unlinked)).join('\n'), NTFY.message),
    ...(link !== null && { click: link }),
  });
};
