import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDataforseo } from './dataforseo/parse.ts';
import type { SerpInput } from './result.ts';
import { readSerpapi } from './serpapi/parse.ts';

const input: SerpInput = { keyword: 'tea', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' };
type Read = typeof readSerpapi;
function overviewOf(read: Read, body: unknown, asked = input) {
  const outcome = read({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)), url: '', atMs: 0 }, asked);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  const { aiOverview, features } = outcome.resource;
  return { text: aiOverview?.text ?? null, isListed: features.includes('ai_overview'), features, unread: outcome.unread ?? [] };
}
const serpapi = (more: object, asked = input) =>
  overviewOf(
    readSerpapi,
    { search_metadata: { status: 'Success' }, organic_results: [{ title: 'Tea', link: 'https://tea.example/' }], ...more },
    asked,
  );
const dataforseo = (...items: object[]) => {
  const entry = { type: 'organic', rank_group: 1, title: 'Tea', url: 'https://tea.example/' };
  const result = [{ type: 'organic', items: [...items, entry] }];
  return overviewOf(readDataforseo, { status_code: 20_000, tasks: [{ status_code: 20_000, result }] });
};
const paragraph = (snippet: string | null) => ({ type: 'paragraph', snippet });
const element = (text: string | null) => ({ type: 'ai_overview_element', text });

/** A generated answer of these lines, at each provider. */
const ANSWERS: readonly (readonly [name: string, read: (...lines: string[]) => ReturnType<typeof serpapi>])[] = [
  ['SerpApi', (...lines) => serpapi({ ai_overview: { text_blocks: lines.map(paragraph) } })],
  ['DataForSEO', (...lines) => dataforseo({ type: 'ai_overview', items: lines.map(element) })],
];

test('lines of the engine are no part of an answer from a provider, and what stands in place of an answer is none', () => {
  for (const [name, read] of ANSWERS) {
    const lines = ['AI Overview', 'Tea is green.', 'Show more', 'Learn more', 'AI responses may include mistakes.'];
    assert.deepEqual([read(...lines).text, read(...lines).unread], ['Tea is green.', []], name);
    assert.equal(read('Press Ctrl and S to save the page.').text, 'Press Ctrl and S to save the page.', `${name}: an answer about keys`);
    for (const line of [
      "Can't generate an AI overview right now. Try again later.",
      'Can’t generate an AI overview',
      'Searching',
      'Thinking…',
    ])
      assert.deepEqual(read(line), { text: null, isListed: false, features: ['organic'], unread: ['aiOverview'] }, `${name}: ${line}`);
  }
});

test('a part of an answer that lost its words makes the text unread', () => {
  const read = (...text_blocks: object[]) => serpapi({ ai_overview: { text_blocks } });
  // github.com/serpapi/public-roadmap/issues/2104, 2988 and 4154
  for (const lost of [paragraph(''), paragraph(null), { type: 'list', list: [] }, { type: 'table' }])
    assert.deepEqual(read(paragraph('Tea is green.'), lost), { ...read(paragraph('Tea is green.')), unread: ['aiOverview.text'] });
  const cut = read(paragraph('Kinds:'), {
    type: 'list',
    list: [{ snippet: ': steamed for 30 seconds' }, { title: 'Roasted:', snippet: 'brown' }],
  });
  assert.deepEqual([cut.text, cut.unread], ['Kinds:\nsteamed for 30 seconds\nRoasted:\nbrown', ['aiOverview.text']]);
  assert.deepEqual(read(paragraph(''), paragraph(null)).unread, ['aiOverview']);
});

test('a generated answer is read under another key, in a panel, and behind a frame that is empty', () => {
  const asked: SerpInput = { ...input, engine: 'engine_b' };
  for (const key of ['ai_overview', 'copilot_answer', 'generative_answer'])
    assert.deepEqual(
      serpapi({ [key]: { text_blocks: [paragraph('Tea is green.')] } }, asked),
      { text: 'Tea is green.', isListed: true, features: ['organic', 'ai_overview'], unread: [] },
      key,
    );
  const items = [element('Tea is green.')];
  const panel = (...inside: object[]) => dataforseo({ type: 'knowledge_graph', items: inside });
  const whole = panel({ type: 'knowledge_graph_ai_overview_item', items });
  assert.deepEqual([whole.text, whole.features, whole.unread], ['Tea is green.', ['knowledge_panel', 'ai_overview', 'organic'], []]);
  const announced = panel({ type: 'knowledge_graph_ai_overview_item', asynchronous_ai_overview: true, items: null });
  assert.deepEqual([announced.text, announced.features, announced.unread], [null, ['knowledge_panel', 'organic'], ['aiOverview']]);
  const second = dataforseo({ type: 'ai_overview', items: null }, { type: 'ai_overview', items });
  assert.deepEqual([second.text, second.unread], ['Tea is green.', []]);
});

test('the card of a page beside an answer is no text of it', () => {
  const cards = ['organic', 'video'].map((kind) => ({
    type: `ai_overview_${kind}_element`,
    title: `A ${kind}`,
    snippet: `of the ${kind}`,
  }));
  const beside = dataforseo({ type: 'ai_overview', items: [element('Tea is green.'), ...cards] });
  assert.deepEqual([beside.text, beside.unread], ['Tea is green.', []]);
});

test("one of the engine's own pages is cited where its source is named as the engine; a link that hides its page is not", () => {
  const cited = (page: object) => {
    const ai_overview = { text_blocks: [paragraph('Tea is green.')], references: [page] };
    const body = { search_metadata: { status: 'Success' }, organic_results: [{ title: 'Tea', link: 'https://tea.example/' }], ai_overview };
    const outcome = readSerpapi({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)), url: '', atMs: 0 }, input);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return [outcome.resource.aiOverview?.references, outcome.unread ?? []];
  };
  const url = 'https://www.google.com/viewer/place?mid=%2Fg%2F11abc';
  const page = { title: 'Tea House', link: url, source: 'Google' };
  assert.deepEqual(cited(page), [[{ domain: 'www.google.com', url, title: 'Tea House' }], []]);
  for (const hidden of [
    { ...page, source: 'Tea House' },
    { ...page, link: 'https://www.google.com/goto?url=CAES' },
    { ...page, link: 'https://www.google.com/search?q=tea' },
  ])
    assert.deepEqual(cited(hidden), [[], ['aiOverview.references']], JSON.stringify(hidden));
});

test('the button of its sources at the end of a line is no part of an answer: a name that is cited, and a number', () => {
  const references = [
    { title: 'On tea', link: 'https://www.teahouse.example/on', url: 'https://www.teahouse.example/on', source: 'Tea House' },
    { title: 'On St. John', link: 'https://john.example/', url: 'https://john.example/', source: 'Dr. St. John' },
  ];
  const readers: typeof ANSWERS = [
    ['SerpApi', (...lines) => serpapi({ ai_overview: { text_blocks: lines.map(paragraph), references } })],
    ['DataForSEO', (...lines) => dataforseo({ type: 'ai_overview', items: lines.map(element), references })],
  ];
  for (const [name, read] of readers) {
    for (const button of [
      'Tea House +2',
      'teahouse.example +12',
      'www.teahouse.example +1',
      'Dr. St. John +3',
      'Tea House',
      'john.example',
    ])
      assert.deepEqual(
        [read(`Tea is green. ${button}`).text, read(`Tea is green. ${button}`).unread],
        ['Tea is green.', []],
        `${name} ${button}`,
      );
    assert.equal(read('Kinds of tea: Tea House +2').text, 'Kinds of tea:', name);
    assert.equal(read('Tea is green.', 'Tea House +2').text, 'Tea is green.', name);
    for (const line of ['Sold at: Tea House', 'The best is Tea House', 'It scores 4 +2', 'Call +49 30 1', 'Tea is green. Other House'])
      assert.deepEqual([read(line).text, read(line).unread], [line, []], `${name} ${line}`);
    const other = 'Tea is green. Other House +2';
    assert.deepEqual([read(other).text, read(other).unread], [other, ['aiOverview.text']], name);
  }
});

test('cited pages in a form that is not known, or cited by number alone, are unread', () => {
  const cited = (more: object, block: object = {}) =>
    serpapi({ ai_overview: { text_blocks: [{ ...paragraph('Tea is green.'), ...block }], ...more } }).unread;
  const one = { title: 'Tea', link: 'https://tea.example/' };
  assert.deepEqual([cited({}), cited({ references: [] }), cited({ references: [one] }, { reference_indexes: [0] })], [[], [], []]);
  for (const references of ['https://tea.example/', ['https://tea.example/'], [one, 'https://leaf.example/']])
    assert.deepEqual(cited({ references }), ['aiOverview.references'], JSON.stringify(references));
  assert.deepEqual(cited({}, { reference_indexes: [0, 1] }), ['aiOverview.references']);
});
