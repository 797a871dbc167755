import { cutTo, type Escape, joined } from '../message.ts';
import { json, type Render } from './form.ts';

const DISCORD = { title: 256, description: 4_096 };
/** Markdown, mentions and masked links of Discord, each character behind a backslash; a link loses its preview and its click. */
const discordEscaped: Escape = (text) => text.replace(/[\\*_~`|>#\-+[\]()<@:!&.]/g, '\\$&');
/** Webhook with one embed; nobody is mentioned (discord.com/developers/docs/resources/webhook). */
export const discord: Render = ({ title, lines, link }, url) =>
  json(url, {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cutTo(joined(title, discordEscaped), DISCORD.title),
        description: cutTo(lines.map((line) => `- ${joined(line, discordEscaped)}`).join('\n'), DISCORD.description),
        ...(link !== null && { url: link }),
      },
    ],
  });
