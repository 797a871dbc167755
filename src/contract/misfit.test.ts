import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { SETTABLE } from './account/watch-schemas.ts';
import { ADMIN_ACTIONS } from './admin/actions.ts';
import { type BodySchema, misfit } from './misfit.ts';
import { faultFinder } from './operations/define.ts';

const { fields: _, ...settable } = SETTABLE;
/** Every body and query of the admin API, and what the body of a watch may set; its `fields` have a reader of their own. */
const SCHEMAS: readonly (readonly [name: string, schema: TSchema])[] = [
  ...Object.entries(ADMIN_ACTIONS).map(([name, { input }]) => [name, input] as const),
  ['watch', { type: 'object', required: [], properties: settable, additionalProperties: false }],
];

const lines = (count: number, length = 1): string[] => Array.from({ length: count }, () => 'x'.repeat(length));
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 10_000, 10_001, 3_651, 1_000_000_001],
  ...['', ' ', '5', 'a\nb', 'é'.repeat(100), ...[40, 41, 100, 101, 500, 501, 1_000, 1_001, 2_001, 4_000, 4_001].map((n) => 'x'.repeat(n))],
  ...[[], lines(1), lines(1, 41), lines(1, 501), lines(10), lines(11), lines(200), lines(201), [1], [-1], [3_651], [' '], [null]],
  ...[{}, { a: 'b' }, { a: 1 }, { a: null }, { url: 'https://a.example/x' }, { url: 5 }, { url: `https://a.example/${'x'.repeat(2_000)}` }],
  ...[[{ to: 'x' }], [{}], [{ to: 5 }], [{ to: 'x', as: 'ntfy', digest: '1d' }], [{ to: 'x', as: 'sms' }], [{ to: 'x', digest: null }]],
];

const enumOf = ({ enum: values = [], anyOf = [], items }: BodySchema): readonly string[] => [
  ...values,
  ...anyOf.flatMap(enumOf),
  ...(items ? enumOf(items) : []),
];

test('bodies are accepted and refused as the compiled schema does, for every field of the admin API and of a watch', async () => {
  let [accepted, refused] = [0, 0];
  for (const [name, schema] of SCHEMAS) {
    const { properties = {}, required = [] } = schema as BodySchema;
    const faultOf = faultFinder(schema);
    const agrees = async (body: unknown): Promise<void> => {
      const mine = misfit(schema as BodySchema, body);
      if (mine) assert.match(mine.why, /^must be .*[^ ]$/);
      mine ? refused++ : accepted++;
      assert.equal(mine === null, (await faultOf(body)) === null, `${name} ${JSON.stringify(body)?.slice(0, 200)}: ${mine?.why}`);
    };
    const good: Record<string, unknown> = {};
    for (const field of required) {
      const schemaOf = properties[field] as BodySchema;
      good[field] = [...VALUES, ...enumOf(schemaOf)].find((value) => misfit(schemaOf, value) === null);
    }
    for (const body of [good, {}, null, [], 5, 'x', { ...good, constructor: 1 }, { ...good, nosuch: null }]) await agrees(body);
    for (const [field, fieldSchema] of Object.entries(properties))
      for (const value of [...VALUES, ...enumOf(fieldSchema)]) await agrees({ ...good, [field]: value });
  }
  assert.ok(accepted > 500 && refused > 2_000, `${accepted} accepted, ${refused} refused`);
});

test('a misfit names the place, its value and what it must be', () => {
  const body = { type: 'object', required: [], properties: settable } as object as BodySchema;
  assert.equal(misfit({ type: 'integer' }, 2 ** 60)?.why, 'must be a whole number', 'JSON.parse rounds it');
  for (const [given, at, why] of [
    [{ webhook: 5 }, 'webhook', 'must be {"url"}, or null'],
    [{ webhook: {} }, 'webhook/url', 'must be an absolute URL of at most 2000 characters'],
    [{ webhook: { url: 'example.com' } }, 'webhook/url', 'must be an absolute URL of at most 2000 characters'],
    [{ webhook: { url: 'https://a.example', secret: 'x' } }, 'webhook/secret', 'must be left out: the fields are url'],
    [{ notify: [{ to: 'x' }, { to: 'x', as: 'ntfi' }] }, 'notify/1/as', /^must be one of slack, .* \(did you mean ntfy\?\)$/],
    [{ notify: [5] }, 'notify/0', 'must be {"to", "as"?, "digest"?}'],
    [{ notify: lines(6) }, 'notify', 'must be a list of at most 5 objects {"to", "as"?, "digest"?}, or null'],
    [{ tags: [5] }, 'tags', 'must be a list of at most 10 texts of 1 to 40 characters'],
    [[], '', /^must be \{"fields"\?|^must be \{/],
  ] as const) {
    const fault = misfit(body, given);
    assert.deepEqual([fault?.pointer, typeof why === 'string' ? fault?.why === why : why.test(fault?.why ?? '')], [at, true], fault?.why);
  }
});
