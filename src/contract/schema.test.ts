import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import * as schema from './schema.ts';

/** The JSON Schema alone: TypeBox adds properties that are not enumerable or begin with `~`. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, item: unknown) => (key.startsWith('~') ? undefined : item)));

const about = { description: 'About.' };
const PATTERNS = {
  instant: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  day: '^\\d{4}-\\d\\d-\\d\\d$',
  date: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)?$',
};
const text = Type.String(about);
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);

/** A schema of a builder, and the equivalent schema of TypeBox. */
const PAIRS: Readonly<Record<string, readonly [unknown, unknown]>> = {
  text: [schema.text('About.'), text],
  matching: [schema.matching('^a$', 'About.'), Type.String({ ...about, pattern: '^a$' })],
  count: [schema.count('About.'), Type.Integer(about)],
  'count with limits': [schema.count('About.', { minimum: 0, maximum: 9 }), Type.Integer({ ...about, minimum: 0, maximum: 9 })],
  amount: [schema.amount('About.', { minimum: 0 }), Type.Number({ ...about, minimum: 0 })],
  flag: [schema.flag('About.'), Type.Boolean(about)],
  words: [schema.words('About.'), Type.Array(Type.String(), about)],
  list: [schema.list(schema.text('About.')), Type.Array(text)],
  url: [schema.url('About.'), Type.String({ ...about, format: 'uri' })],
  instant: [schema.instant('About.'), Type.String({ ...about, pattern: PATTERNS.instant })],
  day: [schema.day('About.'), Type.String({ ...about, pattern: PATTERNS.day })],
  date: [schema.date('About.'), Type.String({ ...about, pattern: PATTERNS.date })],
  oneOf: [schema.oneOf(['a', 'b'], 'About.'), { ...Type.Enum(['a', 'b'], about), type: 'string' }],
  exactly: [schema.exactly('a'), Type.Literal('a')],
  nullable: [schema.nullable(schema.text('About.')), orNull(text)],
  record: [
    schema.record({ a: schema.text('About.'), b: schema.orNull.count('About.') }, 'About.'),
    Type.Object({ a: text, b: orNull(Type.Integer(about)) }, { ...about, additionalProperties: false }),
  ],
  textMap: [schema.textMap('About.'), Type.Object({}, { ...about, additionalProperties: Type.String() })],
  mapOf: [schema.mapOf(schema.count('About.'), 'About.'), Type.Object({}, { ...about, additionalProperties: Type.Integer(about) })],
  requestBody: [
    schema.requestBody({ a: schema.text('About.') }, { b: schema.text('About.') }),
    Type.Object({ a: text, b: Type.Optional(text) }, { additionalProperties: false }),
  ],
  openRecord: [
    schema.openRecord({ a: schema.text('About.') }, { b: schema.text('About.') }),
    Type.Object({ a: text, b: Type.Optional(text) }),
  ],
};
const { text: words, count, amount, flag, url, instant, day, date } = schema;
for (const [name, builder] of Object.entries({ text: words, count, amount, flag, url, instant, day, date }))
  test(`orNull.${name} is the union of ${name} and null`, () => {
    const nullable = new Map<string, (description: string) => unknown>(Object.entries(schema.orNull)).get(name);
    assert.deepEqual(plain(nullable?.('About.')), plain(schema.nullable(builder('About.'))));
  });

for (const [name, [built, typebox]] of Object.entries(PAIRS))
  test(`${name}: the same JSON Schema as TypeBox's`, () => assert.deepEqual(plain(built), plain(typebox)));

test('every builder is compared', () => {
  const compared = new Set(Object.keys(PAIRS).map((name) => name.split(' ', 1)[0]));
  assert.deepEqual(
    Object.keys(schema).filter((name) => !compared.has(name)),
    ['orNull'],
  );
});
