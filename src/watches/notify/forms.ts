import { cutTo, type Escape, joined, type Message, type Piece, unlinked } from './message.ts';

/** What is sent to a target over HTTP. */
export interface Sent {
  readonly url: string;
  readonly body: string;
}
/** How it went. */
export interface SentResult {
  /** HTTP status, or what went wrong. */
  readonly result: string;
  /** What it answered; null of a private target. */
  readonly said: string | null;
  /** It went into a private network that the operator opens. */
  readonly isPrivate?: boolean;
}
type Render = (message: Message, url: string) => Sent;
const json = (url: string, body: unknown): Sent => ({ url, body: JSON.stringify(body) });

const SLACK = { title: 150, section: 3_000, text: 4_000 };
/** `&`, `<` and `>` are all that Slack reads as markup in `text`; `plain_text` has none. */
const markless: Escape = (text) => text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '');
const slackEscaped: Escape = (text) => markless(unlinked(text));
/** Incoming webhook, Block Kit (docs.slack.dev/reference/block-kit). */
const slack: Render = ({ title, lines, link }, url) => {
  const plain = (text: string, most: number) => ({ type: 'plain_text', text: cutTo(text, most), emoji: false });
  return json(url, {
    text: cutTo(joined(title, slackEscaped), SLACK.text),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(joined(title, unlinked), SLACK.title) },
      { type: 'section', text: plain(lines.map((line) => `• ${joined(line, unlinked)}`).join('\n'), SLACK.section) },
      ...(link === null ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: `<${markless(link)}|Open in Sightline>` }] }]),
    ],
  });
};

const DISCORD = { title: 256, description: 4_096 };
/** Markdown, mentions and masked links of Discord, each character behind a backslash; a link loses its preview and its click. */
const discordEscaped: Escape = (text) => text.replace(/[\\*_~`|>#\-+[\]()<@:!&.]/g, '\\$&');
/** Webhook with one embed; nobody is mentioned (discord.com/developers/docs/resources/webhook). */
const discord: Render = ({ title, lines, link }, url) =>
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

/** Adaptive Card; text runs have no markup (adaptivecards.io/explorer/TextRun.html). */
const teams: Render = ({ title, lines, link }, url) => {
  const run = (pieces: readonly Piece[], more: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text: cutTo(joined(pieces, unlinked), 1_000), ...more }],
  });
  return json(url, {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [run(title, { weight: 'bolder' }), ...lines.map((line) => run(line))],
          ...(link !== null && { actions: [{ type: 'Action.OpenUrl', title: 'Open in Sightline', url: link }] }),
        },
      },
    ],
  });
};

const NTFY = { title: 250, message: 3_900 };
/** A text of at most so many bytes of UTF-8. */
function cutToBytes(text: string, most: number): string {
  let cut = text;
  while (Buffer.byteLength(cut) > most) cut = cutTo(cut, Math.max(1, cut.length - Math.ceil((Buffer.byteLength(cut) - most) / 4)));
  return cut;
}
/** JSON to the server's root, with the topic and the query of the address, `auth` of a protected topic (docs.ntfy.sh/publish). Its messages are plain unless they say otherwise. */
const ntfy: Render = ({ title, lines, link }, url) => {
  const { origin, pathname, search } = new URL(url);
  const [topic = '', ...base] = pathname.split('/').filter(Boolean).reverse();
  return json(`${origin}/${base.reverse().join('/')}${search}`, {
    topic,
    title: cutTo(joined(title, unlinked), NTFY.title),
    message: cutToBytes(lines.map((line) => joined(line, unlinked)).join('\n'), NTFY.message),
    ...(link !== null && { click: link }),
  });
};

const MOST_TEXT = 4_000;
/** Chats that take a text read links and mentions of Slack (`<!channel>`, `<address|words>`) and of Markdown (`[words](address)`, `#`, `~`) in it. */
const chatEscaped: Escape = (text) =>
  unlinked(text)
    .replace(/[<>]/g, (character) => (character === '<' ? '‹' : '›'))
    .replace(/[[\]#~]/g, '$&\u2060');
/** The message as plain text. */
export const textOf = ({ title, lines, link }: Message, escaped: Escape): string =>
  [joined(title, escaped), ...lines.map((line) => joined(line, escaped)), ...(link === null ? [] : [link])].join('\n');
const text: Render = (message, url) => json(url, { text: cutTo(textOf(message, chatEscaped), MOST_TEXT) });

/** How a message is written for each kind of target over HTTP. */
export const FORMS = { slack, discord, teams, ntfy, text } as const;
export type HttpForm = keyof typeof FORMS;
