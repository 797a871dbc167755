import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { parse } from 'tldts';
import { Compile } from 'typebox/schema';
import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import { operationList } from '../../src/contract/operations/index.ts';
import { PRIVATE_REGISTRIES } from '../../src/contract/parameters/domain-name.ts';
import type { Parameter } from '../../src/contract/parameters/parameter.ts';

/** Each parameter by the endpoint that has it; equal schemas are tested once. */
const parameters = new Map<string, Parameter>();
for (const { id, parameters: all } of [...operationList, ...accountEndpoints])
  for (const p of all) {
    const same = [...parameters.values()].some((q) => JSON.stringify(q.schema) === JSON.stringify(p.schema));
    if (!same) parameters.set(`${id} ${p.name}`, p);
  }

interface Schema {
  readonly type: string;
  readonly pattern?: string;
  readonly not?: { readonly pattern: string };
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}
const schemaOf = (p: Parameter): Schema => p.schema as Schema;

/** Rules of a domain name beyond the schema's pattern: RFC 1035, IDNA, and a name below a public suffix. */
function isRegistrable(text: string, privateRegistries: boolean): boolean {
  const host = text.trim().replace(/\.$/, '');
  const ascii = /^[\x20-\x7e]+$/.test(host) && !/xn--/i.test(host) ? host.toLowerCase() : domainToASCII(host.normalize('NFC'));
  const labels = ascii.split('.');
  if (ascii === '' || ascii.length > 253 || labels.some((l) => l.length > 63) || !labels.every((l) => /^[\w-]+$/.test(l))) return false;
  if (labels.some((l) => l.startsWith('xn--') && domainToUnicode(l) === l)) return false;
  if (privateRegistries && PRIVATE_REGISTRIES.includes(ascii)) return false;
  const registry = privateRegistries ? PRIVATE_REGISTRIES.find((s) => ascii.endsWith(`.${s}`)) : undefined;
  const domain = registry
    ? ascii
        .slice(0, -registry.length - 1)
        .split('.')
        .at(-1)
    : parse(ascii, { allowPrivateDomains: false, validateHostname: false }).domain?.split('.')[0];
  return domain !== undefined && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(domain);
}
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'registrable-domain': (text) => isRegistrable(text, false),
  date(text) {
    const [year = 0, month = 0, day = 0] = /^\d{4}-\d\d-\d\d$/.test(text) ? text.split('-').map(Number) : [];
    // day 0 of the next month is the last one of this month
    return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  },
};

/** Texts generated from the schema's own pattern, bounds or values. */
function drawn(p: Parameter): fc.Arbitrary<string> {
  const schema = schemaOf(p);
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 0 }).map(String);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.format === 'date')
    return fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((d) => d.toISOString().slice(0, 10));
  return fc.stringMatching(new RegExp(schema.pattern ?? '', 'u'), { size: 'small' });
}
const isInteger = (schema: Schema, text: string): boolean =>
  /^\d{1,15}$/.test(text) && Number(text) >= (schema.minimum ?? 0) && Number(text) <= (schema.maximum ?? 0);

function validator(p: Parameter): (text: string) => boolean {
  const schema = schemaOf(p);
  if (schema.type === 'integer') return (text) => isInteger(schema, text);
  const { format, ...rest } = schema;
  const compiled = Compile(rest);
  return (text) => text.isWellFormed() && compiled.Check(text) && (format === undefined || (FORMATS[format]?.(text) ?? false));
}

const around = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '.',
    '..',
    '-',
    '_',
    '/',
    '?',
    '#',
    '0',
    '1e2',
    '+5',
    'x',
    'XX',
    'ä',
    'K',
    '\u0000',
    '\ud800',
    'random',
    'r/Mod',
    'search',
    'co.uk',
  ),
  fc.constantFrom(
    'zzz',
    '100001',
    '201',
    '.hidden',
    'a'.repeat(14),
    'a'.repeat(701),
    'a.1',
    'xn--.com',
    'xn--zzzzzz.com',
    'shop.xn--a',
    'https://x.com/acme',
    '2026-02-30',
    '0000-01-01',
    '0001-01-01',
  ),
);
/** A valid text changed in one place: most of the results are invalid. */
const changed = (p: Parameter): fc.Arbitrary<string> =>
  fc
    .tuple(drawn(p), fc.nat(), fc.nat(2), around)
    .map(([text, at, cut, more]) => `${text.slice(0, at % (text.length + 1))}${more}${text.slice((at % (text.length + 1)) + cut)}`);

for (const [name, p] of parameters) {
  const fits = validator(p);
  test(`${name}: a value of the schema is accepted`, () => {
    fc.assert(
      fc.property(drawn(p), (text) => {
        fc.pre(fits(text));
        const read = p.read(text);
        assert.ok(read.ok, `${JSON.stringify(text)} ${read.ok ? '' : read.why}`);
      }),
      { numRuns: 300 },
    );
    assert.ok(fits(String(p.example)) && p.read(String(p.example)).ok, 'the example');
  });

  test(`${name}: a value that violates the schema is rejected`, () => {
    const refused = { count: 0 };
    fc.assert(
      fc.property(fc.oneof(changed(p), around), (text) => {
        const expected = fits(text);
        if (!expected) refused.count++;
        assert.equal(text.isWellFormed() && p.read(text).ok, expected, JSON.stringify(text));
      }),
      { numRuns: 600 },
    );
    assert.ok(refused.count > 20, 'values beside the schema were drawn');
  });
}

test('values that similar services often pass through unchecked are rejected by the schema', () => {
  const of = (id: string, name: string) => operationList.find((o) => o.id === id)?.parameters.find((p) => p.name === name);
  for (const [id, name, text] of [
    ['forum-community', 'community', 'x'],
    ['app-reviews', 'page', '100001'],
    ['forum-search', 'after', 'zzz'],
    ['forum-comments', 'postId', 'a'.repeat(14)],
    ['app', 'handle', '.hidden'],
    ['app', 'handle', 'Search'],
    ['serp', 'location', 'XX'],
    ['short-video', 'url', 'x'],
    ['registration', 'domain', 'x'],
  ] as const) {
    const p = of(id, name);
    assert.ok(p && !validator(p)(text) && !p.read(text).ok, `${id} ${name}=${text}`);
  }
});
