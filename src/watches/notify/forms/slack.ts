import { cutTo, type Escape, joined, unlinked } from '../message.ts';
import { json, type Render } from './form.ts';

const SLACK = { title: 150, section: 3_000, text: 4_000 };
/** `&`, `<` and `>` are all that Slack reads as markup in `text`; `plain_text` has none. */
const markless: Escape = (text) => text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '');
const slackEscaped: Escape = (text) => markless(unlinked(text));
/** Incoming webhook, Block Kit (docs.slack.dev/reference/block-kit). */
export const slack: Render = ({ title, lines, link }, url) => {
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
