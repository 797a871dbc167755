import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FORMS, textOf } from './forms.ts';
import { lineOf, messageOf, type Told } from './message.ts';

const WATCH = { id: 'wat_5f0c2d', name: null, operation: 'serp', parameters: '{"keyword":"running shoes"}' };
const change = (more: Partial<Told['changes'][number]>): Told['changes'][number] => ({
  ...{ kind: 'changed', field: 'title', key: null, before: null, after: null, daysLeft: null },
  ...more,
});
const AT = Date.parse('2026-01-31T12:00:00Z');
const told = (...changes: Told['changes']): readonly Told[] => [{ watch: WATCH, changes, at: AT }];
const BASE = 'https://sightline.example';

type Json = Record<string, never> & { readonly [name: string]: unknown };
const bodyOf = (form: keyof typeof FORMS, message: ReturnType<typeof messageOf>, url = 'https://hooks.example/a/topic'): Json =>
  JSON.parse(FORMS[form](message, url).body) as Json;

test('a message says who, what, from which value to which, when it was read, and where to look', () => {
  const message = messageOf(told(change({ kind: 'moved', field: 'organic.rank', key: 'https://acme.com/', before: 12, after: 9 })), BASE);
  assert.equal(
    textOf(message),
    [
      'serp running shoes: organic.rank of https://acme.com/: 12 → 9',
      'organic.rank of https://acme.com/: 12 → 9 (read 2026-01-31 12:00 UTC)',
      'https://sightline.example/console/watches/wat_5f0c2d',
    ].join('\n'),
  );
  const due = messageOf(told(change({ kind: 'due', field: 'expiresOn', after: '2026-02-01', daysLeft: 1 })), null);
  assert.equal(textOf(due).split('\n')[0], 'serp running shoes: expiresOn in one day: 2026-02-01');
  const many = messageOf(told(...Array.from({ length: 20 }, (_, i) => change({ kind: 'added', field: 'reviews', key: `r${i}` }))), BASE);
  assert.equal(many.lines.length, 13);
  assert.equal(textOf(many).split('\n').at(-2), 'and 8 more');
});

const HOSTILE = [
  '@everyone @here',
  '<!channel> <!here> <@U123> <#C1|x>',
  '<@123456789012345678> <@&42> <#1> </x:1>',
  '[click](https://evil.example) <https://evil.example|bank>',
  '**bold** __under__ ~~no~~ ||spoiler|| `code` ```\nblock```',
  '# Heading\n> quote\n- item\n1. item',
  '\u202Eevil\u202C \u2066x\u2069 zero\u200Bwidth',
  '"},{"type":"section"',
  'line\r\nBcc: victim@example.com\r\n\r\nbody',
  '&lt;b&gt; & <script>alert(1)</script>',
  'https://evil.example/path',
  '{{template}} <at>Everyone</at> $',
  'x'.repeat(10_000),
  '𝄞'.repeat(5_000),
  '\ud800 lone',
];
const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 500 }),
  fc.array(fc.constantFrom(...HOSTILE), { minLength: 2, maxLength: 6 }).map((parts) => parts.join(' ')),
);

test('no text of others breaks out of its place, in any form, and every limit of the providers holds', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (key, before, name) => {
      const watch = { ...WATCH, name };
      const changes = Array.from({ length: 30 }, () => change({ kind: 'changed', field: 'title', key, before, after: name }));
      for (const message of [
        messageOf([{ watch, changes, at: AT }], BASE),
        messageOf(told(change({ kind: 'added', field: 'posts', key })), BASE),
      ]) {
        const slack = bodyOf('slack', message) as never as {
          text: string;
          blocks: { type: string; text?: { type: string; text: string } }[];
        };
        assert.doesNotMatch(slack.text, /[<>]/);
        assert.ok(slack.blocks.length <= 50);
        const [header, section, context] = slack.blocks;
        assert.deepEqual([header?.text?.type, section?.text?.type, context?.type], ['plain_text', 'plain_text', 'context']);
        assert.ok((header?.text?.text.length ?? 999) <= 150 && (header?.text?.text.length ?? 0) > 0);
        assert.ok((section?.text?.text.length ?? 9_999) <= 3_000);

        const discord = bodyOf('discord', message) as never as {
          allowed_mentions: object;
          embeds: { title: string; description: string }[];
        };
        assert.deepEqual(discord.allowed_mentions, { parse: [] });
        const [embed] = discord.embeds;
        assert.ok((embed?.title.length ?? 999) <= 256 && (embed?.description.length ?? 9_999) <= 4_096);
        // behind their backslashes no character of markup is left
        const bare = (embed?.description ?? '')
          .replace(/\\./gs, '')
          .replace(/ \(read [^)]*\)/g, '')
          .replace(/^- /gm, '');
        assert.doesNotMatch(bare.replace(/ of | → |title: |New in posts: |and \d+ more/g, ''), /[*_~`|<>[\]@#]/);

        const teams = bodyOf('teams', message) as never as { attachments: { content: { body: { type: string }[] } }[] };
        for (const block of teams.attachments[0]?.content.body ?? []) assert.equal(block.type, 'RichTextBlock');
        assert.ok(JSON.stringify(teams).length < 28_000);

        const ntfy = bodyOf('ntfy', message) as never as { topic: string; title: string; message: string; markdown?: boolean };
        assert.equal(ntfy.topic, 'topic');
        assert.equal(ntfy.markdown, undefined);
        assert.ok(Buffer.byteLength(ntfy.message) <= 4_096 && ntfy.title.length <= 250);

        for (const form of ['slack', 'discord', 'teams', 'ntfy', 'text'] as const) {
          const { body } = FORMS[form](message, 'https://hooks.example/a/topic');
          assert.ok(body.isWellFormed());
          assert.doesNotMatch(body, /[\u202A-\u202E\u2066-\u2069\u200B]/);
          const texts: string[] = [];
          JSON.parse(body, (_, value: unknown) => void (typeof value === 'string' && texts.push(value)));
          for (const text of texts) assert.doesNotMatch(text, /\r/);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a text of others is one line, and no character of it is cut', () => {
  assert.equal(lineOf(' a\r\n\tb\u2028c\u202Ed '), 'a b c d');
  assert.equal([...lineOf('𝄞'.repeat(300))].length, 200);
});

test('the server of ntfy is asked below the path that its address has', () => {
  const message = messageOf(told(change({})), null);
  assert.equal(FORMS.ntfy(message, 'https://ntfy.sh/mine').url, 'https://ntfy.sh/');
  assert.equal(FORMS.ntfy(message, 'https://home.example/ntfy/mine').url, 'https://home.example/ntfy');
});
