import { cutTo, joined, type Piece, unlinked } from '../message.ts';
import { json, type Render } from './form.ts';

/** Adaptive Card; text runs have no markup (adaptivecards.io/explorer/TextRun.html). */
export const teams: Render = ({ title, lines, link }, url) => {
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
