import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCalls } from '../../src/mcp/calls.ts';
import { createTools } from '../../src/mcp/tools.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { settingsOf } from '../contract/fakes.ts';

const tools = createTools(settingsOf());

test('every description says when to use the tool and when not, what it costs, its limits, how it fails and what null means', () => {
  const parts: [string, RegExp][] = [
    ['use', /\bUse (?!null)\w+/],
    ['non-use', /\b(?:[Nn]ot|For|To) [\w ]+/],
    ['cost', /Cost: (?:free|\d+ credits?)/],
    ['limits', /Limits: \w/],
    ['failure', /NOT_FOUND|UPSTREAM_|NOT_IMPLEMENTED|no error|INVALID_REQUEST|FORBIDDEN/],
    ['null', /null: /],
  ];
  const lacking = tools.flatMap(({ name, description }) =>
    parts.filter(([, part]) => !part.test(description)).map(([part]) => `${name}: ${part}`),
  );
  assert.deepEqual(lacking, []);
});

/** Share of the words of two texts that both have. */
function likeness(a: string, b: string): number {
  const [one, two] = [a, b].map((text) => new Set(text.toLowerCase().match(/[a-z_]+/g)));
  const shared = [...(one ?? [])].filter((word) => two?.has(word)).length;
  return shared / Math.max(one?.size ?? 1, two?.size ?? 1);
}

test('no two descriptions are alike', () => {
  const alike = tools.flatMap((a, i) =>
    tools.slice(i + 1).flatMap((b) => (likeness(a.description, b.description) > 0.6 ? [`${a.name} and ${b.name}`] : [])),
  );
  assert.deepEqual(alike, []);
  assert.equal(new Set(tools.map(({ annotations }) => annotations.title)).size, tools.length);
});

test('every tool but watch_add is read-only and idempotent, has a title and schemas of objects, and names are those of the operations', () => {
  for (const { name, annotations, inputSchema, outputSchema } of tools) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    const { title, readOnlyHint, idempotentHint, destructiveHint, openWorldHint } = annotations;
    assert.ok(title && openWorldHint !== undefined);
    assert.deepEqual([readOnlyHint, idempotentHint], /^watch_(add|edit)$/.test(name) ? [false, false] : [true, true], name);
    if (!readOnlyHint) assert.equal(destructiveHint, name === 'watch_edit');
    assert.deepEqual([inputSchema.type, outputSchema.type], ['object', 'object']);
  }
  assert.deepEqual(
    tools.map(({ name }) => name),
    createTools(settingsOf()).map(({ name }) => name),
  );
});

test('every argument has a description, and the engines are named', () => {
  const lacking = tools.flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties as Record<string, { description?: string }>).flatMap(([argument, { description }]) =>
      (description ?? '').length < 10 ? [`${name}.${argument}`] : [],
    ),
  );
  assert.deepEqual(lacking, []);
  const serp = tools.find(({ name }) => name === 'serp');
  assert.match(JSON.stringify(serp?.inputSchema), /engine_a.*Google.*engine_b.*Bing/);
});

test('prices that the operator sets are in the descriptions', () => {
  const priced = createTools(settingsOf({ SIGHTLINE_PRICES: '{"traffic":5}' })).find(({ name }) => name === 'traffic');
  assert.match(priced?.description ?? '', /Cost: 5 credits/);
});

test('the tools of watches say what a month costs', () => {
  const descriptionOf = (name: string) => tools.find((tool) => tool.name === name)?.description ?? '';
  assert.match(
    descriptionOf('watch_add'),
    /A month of a lookup of 1 credit: 744 at 1h, 124 at 6h, 62 at 12h, 31 at 1d, 5 \+ 1 a day in due at 7d;/,
  );
  for (const name of ['watch_list', 'watch_changes']) assert.match(descriptionOf(name), /month.*costPerMonth|costPerMonth.*month/, name);
});

test('an argument that a tool has not is refused in the names of the tool, before anything is asked; account takes none', async () => {
  // is told that the tool failed, and asked nothing
  const calls = new Proxy({}, { get: (_, name) => (name === 'failed' ? undefined : assert.fail(`asked: ${String(name)}`)) });
  const context = { clock: realClock, report: () => {}, signal: new AbortController().signal, twice: false };
  const valid: Readonly<Record<string, object>> = { price: { operation: 'traffic', parameters: { domain: 'a.com' } } };
  for (const { name, inputSchema, run } of tools.filter((tool) => tool.name !== 'account')) {
    // no tool of the list is asked
    const { isError, content } = await run(calls as ToolCalls, { ...valid[name], colour: 'red' }, context as never);
    const said = JSON.stringify(content);
    assert.equal(isError, true, name);
    assert.match(said, /colour/, name);
    assert.doesNotMatch(said, /query parameter|this operation|\blimit\b/, name);
    const [first = ''] = Object.keys(Object(inputSchema.properties));
    assert.ok(said.includes(first), `${name}: ${said}`);
  }
});
