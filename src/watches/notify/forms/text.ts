import { cutTo, type Escape, unlinked } from '../message.ts';
import { json, type Render, textOf } from './form.ts';

const MOST_TEXT = 4_000;
/** Chats that take a text read links and mentions of Slack (`<!channel>`, `<address|words>`) and of Markdown (`[words](address)`, `#`, `~`) in it. */
const chatEscaped: Escape = (text) =>
  unlinked(text)
    .replace(/[<>]/g, (character) => (character === '<' ? '‹' : '›'))
    .replace(/[[\]#~]/g, '$&\u2060');
export const text: Render = (message, url) => json(url, { text: cutTo(textOf(message, chatEscaped), MOST_TEXT) });
