import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentOf } from '../mail.ts';
import { lineOf, messageOf, type Told } from '../message.ts';
import { textOf as textWith } from './form.ts';
import { FORMS } from './index.ts';

const WATCH = { id: 'wat_5f0c2d', name: null, operation: 'serp', parameters: '{"keyword":"running shoes"}' };
const change = (more: Partial<Told['changes'][number]>): Told['changes'][number] => ({
  ...{ kind: 'changed', field: 'title', key: null, before: null, after: null, daysLeft: null, readAt: null },
  ...more,
});
const AT = Date.parse('2026-01-31T12:00:00Z');
const told = (...changes: Told['changes']): readonly Told[] => [{ watch: WATCH, changes, atMs: AT }];
const BASE = 'https://sightline.example';

const textOf = (message: ReturnType<typeof messageOf>): string => textWith(message, (text) => text);

type Json = Record<string, never> & { readonly [name: string]: unknown };
const bodyOf = (form: keyof typeof FORMS, message: ReturnType<typeof messageOf>, url = 'https://hooks.example/a/topic'): Json =>
  JSON.parse(FORMS[form](message, url).body) as Json;

test('a message says who, what, from which value to which, when it was read, and where to look', () => {
  const message = messageOf(told(change({ kind: 'moved', field: 'organic.rank', key: 'https://acme.com/', before: 12, after: 9 })), BASE);
  assert.equal(
    textOf(message),
    [
      'Google running shoes: organic rank of https://acme.com/: 12 → 9',
      'organic rank of https://acme.com/: 12 → 9 (read 2026-01-31 12:00 UTC)',
      'https://sightline.example/console/watches/wat_5f0c2d',
    ].join('\n'),
  );
  const ofBing = { ...WATCH, parameters: '{"keyword":"running shoes","location":"GB","engine":"engine_b"}' };
  const [bing] = textOf(messageOf([{ watch: ofBing, changes: [change({ kind: 'gone' })], atMs: AT }], null)).split('\n');
  assert.equal(bing, 'Bing running shoes, GB: It is not there any more.');
  const told1 = (more: Parameters<typeof change>[0]) => textOf(messageOf(told(change(more)), null)).split('\n')[0];
  const SAID = 'Google running shoes: ';
  for (const [more, says] of [
    [
      { kind: 'due', field: 'expiresOn', after: '2026-01-31T10:00:00.000Z', daysLeft: 0 },
      'expires on 2026-01-31, which is over: the name is still registered',
    ],
    // told at 12:00 of its day
    [{ kind: 'due', field: 'expiresOn', after: '2026-01-31T18:00:00.000Z', daysLeft: 0 }, 'expires on 2026-01-31, today'],
    [{ kind: 'due', field: 'expiresOn', after: '2026-01-31', daysLeft: 0 }, 'expires on 2026-01-31, today'],
    [{ field: 'registrar.ianaId', before: '1', after: '2' }, 'registrar IANA ID: 1 → 2'],
    [{ field: 'aiOverview?', before: false, after: true }, 'AI overview appeared'],
    [{ field: 'nameServers', before: ['a', 'b'], after: [] }, 'name servers: a, b → none'],
    [{ field: 'selftext', before: '', after: 'sold' }, 'selftext: nothing → sold'],
    [{ field: 'title', before: 'sold', after: null }, 'title: sold → nothing'],
    [{ kind: 'added', field: 'reviews', key: 'r1' }, 'New in reviews: r1'],
  ] as const)
    assert.equal(told1(more as Parameters<typeof change>[0]), SAID + says);
  const readAt = Date.parse('2026-01-29T10:00:00Z');
  const due = messageOf(told(change({ kind: 'due', field: 'expiresOn', after: '2026-02-01', daysLeft: 1, readAt })), null);
  assert.deepEqual(textOf(due).split('\n'), [
    'Google running shoes: expires on 2026-02-01, in one day',
    // not when it is told
    'expires on 2026-02-01, in one day (read 2026-01-29 10:00 UTC)',
  ]);
  for (const [more, says] of [
    [{ after: 'key' }, 'It is not checked any more: the key that made the watch is revoked, expired, or may not use the operation.'],
    [{ after: 'credits' }, 'It is not checked any more: the account has too few credits.'],
    [{ after: 'budget' }, 'It is not checked any more: the budget of the month is used.'],
    [{ after: 'UPSTREAM_TIMEOUT' }, 'It has no answer any more: UPSTREAM_TIMEOUT'],
    [{ field: 'notify', key: 'ntfy.sh/…abcd', after: '410' }, 'The target ntfy.sh/…abcd is switched off: 410'],
    [{ field: 'webhook', key: 'hooks.example', after: '410' }, 'The webhook hooks.example is switched off: 410'],
  ] as const) {
    const message = messageOf(told(change({ kind: 'failing', field: '', ...more })), null);
    assert.deepEqual(textOf(message).split('\n'), [`Google running shoes: ${says}`, `${says} (2026-01-31 12:00 UTC)`]);
  }
  const [due1, moved] = [
    change({ kind: 'due', field: 'expiresOn', after: '2026-02-01', daysLeft: 1 }),
    change({ kind: 'moved', before: 2, after: 1 }),
  ];
  const [failing, recovered] = [change({ kind: 'failing', field: '', after: 'credits' }), change({ kind: 'recovered', field: '' })];
  for (const [changes, says] of [
    [[moved, moved], '2 changes'],
    [[due1, due1, moved], '1 change, 2 dates due'],
    [[failing, failing], '2 notices'],
    [[recovered, moved, moved, due1], '2 changes, 1 date due, 1 notice'],
  ] as const)
    assert.equal(textOf(messageOf(told(...changes), null)).split('\n')[0], `Google running shoes: ${says}`);
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

test('a domain of other letters stands as people write it, with its form of the wire; an address, and what could be mistaken, stay as they are', () => {
  const watch = { ...WATCH, operation: 'registration', parameters: '{"domain":"www.xn--mller-kva.de"}' };
  const [before, after] = [
    ['ns1.xn--bcher-kva.example', 'ns2.acme.com'],
    ['xn--80ak6aa92e.com', 'https://xn--mller-kva.de/a'],
  ];
  const changes = [change({ field: 'nameServers', before, after })];
  assert.equal(
    textOf(messageOf([{ watch, changes, atMs: AT }], null)).split('\n')[0],
    'Domain registration www.müller.de (www.xn--mller-kva.de): name servers: ' +
      'ns1.bücher.example (ns1.xn--bcher-kva.example), ns2.acme.com → xn--80ak6aa92e.com, https://xn--mller-kva.de/a',
  );
});

test('no text of others breaks out of its place, in any form, and every limit of the providers holds', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (key, before, name) => {
      const watch = { ...WATCH, name };
      const changes = Array.from({ length: 30 }, () => change({ kind: 'changed', field: 'title', key, before, after: name }));
      for (const message of [
        messageOf([{ watch, changes, atMs: AT }], BASE),
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

/** What programs make links and mentions of, by the rules of each. */
const LINKERS: readonly (readonly [string, RegExp])[] = [
  ['a scheme, as Thunderbird finds it', /[a-z0-9+.-]:\S/i],
  ['an address without a scheme, as Thunderbird finds it', /(www|ftp)\.\S/i],
  ['a mail address, as Thunderbird finds it: ASCII before the sign', /[\x21-\x7e]@\S/],
  ['a scheme and two slashes', /:\/\//],
  [
    'a host under a known domain, as Android finds it: letters of all scripts, format characters, too',
    /[a-z0-9\u00a0-\ud7ff_-]\.(com|net|org|name|example)/iu,
  ],
  ['a host of letters and digits', /[\p{L}\p{N}]\.[\p{L}\p{N}]/u],
  ['a mention', /@[\w.]/],
];
const CHAT: readonly (readonly [string, RegExp])[] = [
  ['a link or mention of Slack', /<[^>]+>/],
  ['a link of Markdown', /\]\(/],
  ['a channel', /[#~]\w/],
];
const LINKS = [
  'www.evil.example',
  'evil.com',
  'x@evil.com',
  'mailto:x@evil.com',
  'javascript:alert(1)',
  'HTTPS://EVIL.EXAMPLE/a?b=c',
  '[bank](//evil.example)',
  '<//evil.example|bank>',
  '@all',
  '~town-square #general',
  'ftp.evil.net:21',
  'a..b@c..d::e',
  'b\u00fccher.example',
];

test('no program makes a link or a mention of a text of others: not in mail, not in a chat', () => {
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE, ...LINKS),
    fc.array(fc.constantFrom(...LINKS, ' ', ':', '.'), { maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  const shownIn = (value: unknown): string[] => {
    const texts: string[] = [];
    // schemas and types are ours
    JSON.parse(
      JSON.stringify(value),
      (name, part: unknown) =>
        void (typeof part === 'string' && !/^(type|contentType|version|\$schema|topic)$/.test(name) && texts.push(part)),
    );
    return texts;
  };
  fc.assert(
    fc.property(text, text, text, (key, before, name) => {
      const watch = { ...WATCH, name };
      const changes = [
        change({ kind: 'changed', field: 'registrar.name', key, before, after: name }),
        change({ kind: 'added', field: 'contacts.name', key }),
      ];
      const message = messageOf([{ watch, changes, atMs: AT }], null);
      const mail = contentOf(message, 'STOP');
      const shown = [
        ...[mail.text, mail.html.replace(/<[^>]+>/g, ' ')].map((each) => ['email', each] as const),
        ...(['slack', 'teams', 'ntfy', 'text'] as const).flatMap((form) =>
          shownIn(bodyOf(form, message)).map((each) => [form, each] as const),
        ),
      ];
      assert.ok(shown.length > 10);
      for (const [form, each] of shown) {
        // the words of ours with a colon or a dot
        const theirs = each.replace(/ \(read [^)]*UTC\)|: \d changes|Stop these messages: STOP|Stop these messages\.|confirmed it\./g, '');
        for (const [what, linker] of [...LINKERS, ...(form === 'text' ? CHAT : [])])
          assert.doesNotMatch(theirs, linker, `${form}: ${what}`);
      }
    }),
    { numRuns: 300 },
  );
});

test('a title that is cut behind our own colon has none at its end', () => {
  for (let length = 100; length <= 160; length++) {
    const title = messageOf([{ watch: { ...WATCH, name: 'c'.repeat(length) }, changes: [change({}), change({})], atMs: AT }], null);
    for (const form of ['slack', 'ntfy', 'text', 'teams'] as const) assert.doesNotMatch(JSON.stringify(bodyOf(form, title)), /c:\S/);
  }
});

test('a text of others is one line, and no character of it is cut', () => {
  assert.equal(lineOf(' a\r\n\tb\u2028c\u202Ed '), 'a b c d');
  assert.equal([...lineOf('𝄞'.repeat(300))].length, 200);
  for (const [text, says] of [
    ['Schiff\u00adfahrt', 'Schifffahrt'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['ราคา\u200bใหม่', 'ราคาใหม่'],
  ] as const)
    assert.equal(lineOf(text), says, 'what is not seen leaves no blank, and no word is torn');
});

test('the server of ntfy is asked below the path that its address has', () => {
  const message = messageOf(told(change({})), null);
  assert.equal(FORMS.ntfy(message, 'https://ntfy.sh/mine').url, 'https://ntfy.sh/');
  assert.equal(FORMS.ntfy(message, 'https://home.example/ntfy/mine').url, 'https://home.example/ntfy');
  assert.equal(FORMS.ntfy(message, 'https://home.example/mine?auth=QmVhcmVy').url, 'https://home.example/?auth=QmVhcmVy');
});
