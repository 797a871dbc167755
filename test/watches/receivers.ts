/** What the services that take messages accept, by what they publish, in our own words: what they do not know is refused, too. */
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { HttpForm } from '../../src/watches/notify/forms/index.ts';

const only = { additionalProperties: false };
const object = (properties: Record<string, TSchema>) => Type.Object(properties, only);
const oneOf = (schemas: readonly TSchema[]): TSchema => Type.Unsafe({ anyOf: schemas });
const text = (most: number) => Type.String({ minLength: 1, maxLength: most });
const WEB = Type.String({ pattern: '^https?://[^\\s<>|]+$' });

const plain = (most: number) => object({ type: Type.Literal('plain_text'), text: text(most), emoji: Type.Optional(Type.Boolean()) });
/** docs.slack.dev/reference/block-kit/blocks: 50 blocks, a header of 150 characters, a section of 3,000, ten elements of a context. */
const SLACK = object({
  text: text(40_000),
  unfurl_links: Type.Optional(Type.Boolean()),
  unfurl_media: Type.Optional(Type.Boolean()),
  blocks: Type.Array(
    oneOf([
      object({ type: Type.Literal('header'), text: plain(150) }),
      object({ type: Type.Literal('section'), text: plain(3_000) }),
      object({
        type: Type.Literal('context'),
        elements: Type.Array(object({ type: Type.Literal('mrkdwn'), text: text(3_000) }), { minItems: 1, maxItems: 10 }),
      }),
    ]),
    { minItems: 1, maxItems: 50 },
  ),
});

/** discord.com/developers/docs/resources/webhook and /message: ten embeds, 6,000 characters in all of them. */
const DISCORD = object({
  allowed_mentions: object({ parse: Type.Array(Type.Enum(['roles', 'users', 'everyone'])) }),
  embeds: Type.Array(object({ title: text(256), description: text(4_096), url: Type.Optional(WEB) }), { minItems: 1, maxItems: 10 }),
});

const TEXT_RUN = object({
  type: Type.Literal('TextRun'),
  text: text(100_000),
  weight: Type.Optional(Type.Enum(['default', 'lighter', 'bolder'])),
});
/** adaptivecards.io/explorer, in the envelope of learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors: 28 KB in all. */
const TEAMS = object({
  type: Type.Literal('message'),
  attachments: Type.Array(
    object({
      contentType: Type.Literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: Type.Null(),
      content: object({
        $schema: Type.Literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: Type.Literal('AdaptiveCard'),
        version: Type.Enum(['1.2', '1.3', '1.4', '1.5']),
        body: Type.Array(object({ type: Type.Literal('RichTextBlock'), inlines: Type.Array(TEXT_RUN, { minItems: 1 }) }), { minItems: 1 }),
        actions: Type.Optional(
          Type.Array(object({ type: Type.Literal('Action.OpenUrl'), title: text(100), url: WEB }), { minItems: 1, maxItems: 6 }),
        ),
      }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
});

/** docs.ntfy.sh/publish: JSON to the root of the server; a message of more than 4,096 bytes becomes an attachment. */
const NTFY = object({
  topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$' }),
  title: text(250),
  message: text(4_096),
  click: Type.Optional(WEB),
});
const TEXT = object({ text: text(4_000) });

const bytesOf = (value: unknown): number => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
interface Receiver {
  readonly schema: TSchema;
  /** What a schema does not say; null: it is fine. */
  readonly also?: (message: never, path: string) => string | null;
  /** What the service answers with. */
  readonly answers: readonly [status: number, body: string];
}
const RECEIVERS: Readonly<Record<HttpForm, Receiver>> = {
  slack: { schema: SLACK, answers: [200, 'ok'] },
  discord: {
    schema: DISCORD,
    also: ({ embeds }: { embeds: readonly { title: string; description: string }[] }) =>
      embeds.reduce((sum, { title, description }) => sum + title.length + description.length, 0) > 6_000
        ? 'more than 6,000 characters'
        : null,
    answers: [204, ''],
  },
  teams: { schema: TEAMS, also: (message) => (bytesOf(message) > 28_000 ? 'more than 28 KB' : null), answers: [202, ''] },
  ntfy: {
    schema: NTFY,
    also: ({ message }: { message: string }, path) =>
      path !== '/' ? `published as JSON to ${path}` : bytesOf(message) > 4_096 ? 'more than 4,096 bytes' : null,
    answers: [200, '{"id":"h2Qx81","event":"message"}'],
  },
  text: { schema: TEXT, answers: [200, 'ok'] },
};

/** What a service says to a message that it is sent. */
export function receive(form: HttpForm, body: string, path: string): { readonly status: number; readonly says: string } {
  const { schema, also, answers } = RECEIVERS[form];
  const message = JSON.parse(body) as never;
  const [fault] = Value.Errors(schema, message);
  const refused = fault ? `${fault.instancePath} ${fault.message}` : (also?.(message, path) ?? null);
  const [status, says] = refused === null ? answers : [400, refused];
  return { status, says };
}
