import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, found, LABEL, read, TEA } from '../../../../test/searchengine/google-page.ts';

/** A page with a generated answer: `head` is the markup around its label, `body` the markup of the answer. */
const withOverview = (head: string, body: string, foot = ''): string | undefined =>
  read(`<div data-mcpr=""><div id="m-x-content"><div>${head}${body}</div></div>${foot}</div>${column(TEA)}`).aiOverview?.text;

test("the text of a generated answer excludes the engine's labels, links, disclaimers and keyboard hints", () => {
  const help = '<a href="https://support.google.com/websearch?p=ai_overviews"><span>What is this?</span></a>';
  const text = '<div><span>Tea is a drink.</span></div><ul><li>It is made of leaves.</li></ul>';
  const foot = `<div data-subtree="dfa"><div>Some disclaimer of a later year.</div></div><div>Generative AI is experimental.</div>
    <div>AI responses may include mistakes. <a href="https://support.google.com/x">Learn more</a></div>
    <div role="button">Show more</div><div>Access this menu with Ctrl + M</div>`;
  const want = 'Tea is a drink.\nIt is made of leaves.';
  assert.equal(withOverview(`<h1>AI Overview</h1><div>${LABEL}<div>${help}</div></div>`, text, foot), want);
  assert.equal(withOverview('<div><div>AI Overview</div><div>Learn more</div></div>', text, foot), want, 'the label without its role');
  assert.equal(
    withOverview('<div><div>Nicht verfügbar, versuche es später</div><div role="heading">Übersicht mit KI</div></div>', text),
    want,
    'what stands above the label, in any language',
  );
});

test('a disclaimer of the engine is known in any language by its link to what the engine says of its answers', () => {
  const text = '<div>Te är en dryck, se <a href="https://support.google.com/websearch/answer/1">hjälpen</a> om den.</div>';
  for (const words of ['AI-svar kan innehålla fel.', 'AI 回覆可能有誤。', 'قد تتضمن ردود الذكاء الاصطناعي أخطاء.'])
    for (const query of ['p=ai_overviews&amp;hl=sv', 'hl=sv&amp;p=aimode']) {
      const foot = `<div lang="sv"><div>${words} <a href="https://support.google.com/websearch?${query}">Läs mer</a></div></div>`;
      assert.equal(withOverview(LABEL, text + foot), 'Te är en dryck, se hjälpen om den.', words);
    }
});

test('a short answer beside its label is kept in full', () => {
  assert.equal(withOverview(`<div>${LABEL}`, '<div>Green.</div></div>'), 'Green.');
  assert.equal(withOverview(LABEL, '<span>42</span>'), '42');
  assert.equal(withOverview(LABEL, '<div>An AI overview of tea is a text.</div>'), 'An AI overview of tea is a text.');
});

test('buttons after sentences open their sources: their text is left out, and what stands around them is not', () => {
  const button =
    '<span><span>&nbsp;<button data-amic="true" data-icl-uuid="1" aria-label="View related links"><b>+2</b></button></span></span>';
  const part = (title: string, ...steps: string[]): string =>
    `<span><div role="heading" aria-level="3">${title}${button}</div></span><span><ul>${steps.map((step) => `<li>${step}${button}</li>`).join('')}</ul></span>`;
  const first = `<div><mark><div style="display: contents">Tea is brewed</div></mark>. Mind the pot.${button}</div>`;
  const body = first + part('Step 1', 'Boil water.', 'Rinse the pot.');
  assert.equal(withOverview(LABEL, body), 'Tea is brewed. Mind the pot.\nStep 1\nBoil water.\nRinse the pot.');
  const { resource, unread } = found(`<div data-mcpr=""><div id="m-x-content"><div>${LABEL}${body}</div></div></div>${column(TEA)}`);
  assert.deepEqual([resource.aiOverview?.references, unread], [[], ['aiOverview.references']]);
});

test("a frame that contains only the engine's own texts is no generated answer", () => {
  assert.equal(withOverview(LABEL, '<div>Generative AI is experimental.</div><div>Learn more</div>'), undefined);
});

test('what is collapsed behind "Show more" belongs to the generated answer, its sources too', () => {
  const source = (url: string, title: string): string =>
    `<li aria-hidden="true"><a aria-hidden="true" aria-label="${title}. Opens in new tab." href="${url}"></a><div aria-hidden="true">${title}</div></li>`;
  // the page's script marks a collapsed region and every element in it
  const collapsed = `<div aria-hidden="true"><ul aria-hidden="true"><li aria-hidden="true"><span aria-hidden="true">Rinse the pot.</span></li>
    <li aria-hidden="true">Pour <b aria-hidden="true">hot</b> water.</li></ul>
    <ul aria-hidden="true">${source('https://tea.example/pot', 'The pot')}</ul></div>`;
  const buttons = `<div role="button" aria-expanded="false">Show more</div>
    <div><div role="button" aria-label="Copy"></div><div aria-hidden="true">Copy</div></div>`;
  const { resource, unread } = found(
    `<div data-mcpr=""><div id="m-x-content"><div>${LABEL}<div>Tea is brewed.</div>${collapsed}${buttons}</div></div></div>${column(TEA)}`,
  );
  assert.deepEqual(resource.aiOverview, {
    text: 'Tea is brewed.\nRinse the pot.\nPour hot water.',
    references: [{ domain: 'tea.example', url: 'https://tea.example/pot', title: 'The pot' }],
  });
  assert.equal(unread, undefined);
});

test('templates and dialogs are no part of a generated answer; text of it that the page does not display is unread', () => {
  const overview = (more: string) =>
    found(`<div data-mcpr=""><div id="m-x-content"><div>${LABEL}<div>Tea is brewed.</div>${more}</div></div></div>${column(TEA)}`);
  for (const besides of [
    '<template><div>Kettle</div></template>',
    '<div role="dialog"><p>Thank you for your feedback, which helps.</p></div>',
    '<div style="display:none"><div role="dialog"><p>Thank you for your feedback.</p></div></div>',
    '<div style="display: none">Can\'t generate an AI overview right now. Try again later.</div>',
    '<div hidden> </div>',
  ]) {
    const { resource, unread } = overview(besides);
    assert.equal(resource.aiOverview?.text, 'Tea is brewed.', besides);
    assert.equal(unread, undefined, besides);
  }
  for (const dropped of ['<div style="display:none">Rinse the pot first.</div>', '<p hidden>Rinse the pot first.</p>']) {
    assert.deepEqual(overview(dropped).unread, ['aiOverview.text'], dropped);
  }
});

test('sources of a generated answer that cannot be read are unread, not an empty list', () => {
  const card = '<div><a href="https://tea.example/pot" aria-label="The pot. Opens in new tab."></a></div>';
  const { resource, unread } = found(
    `<div data-mcpr=""><div id="m-x-content"><div>${LABEL}<div>Tea is brewed.</div>${card}</div></div></div>${column(TEA)}`,
  );
  assert.deepEqual(resource.aiOverview?.references, []);
  assert.deepEqual(unread, ['aiOverview.references']);
});

test('cards of cited pages are no text of the answer, whether their links are open or sealed, in every form of the card', () => {
  const text = '<div>Hills are high.</div><ul><li>Lakes are <a href="/goto?url=CAESin" aria-label="deep">deep</a> and wide.</li></ul>';
  const inner = (title: string) => `<div><div>${title}</div><div>A snippet of the cited page.</div><div>Site</div></div>`;
  const forms: Readonly<Record<string, (href: string, title: string) => string>> = {
    'list item': (href, title) => `<li><a href="${href}" aria-label="${title}. Opens in new tab."></a>${inner(title)}</li>`,
    'marked item': (href, title) =>
      `<li><div data-src-id="1"><a href="${href}" aria-label="${title}. Opens in new tab."></a>${inner(title)}</div></li>`,
    'link around the card': (href, title) => `<li><a href="${href}" aria-label="${title}. Opens in new tab.">${inner(title)}</a></li>`,
    'without a label': (href, title) => `<li><a href="${href}"></a>${inner(title)}</li>`,
    'link around the card, without a label': (href, title) => `<li><a href="${href}">${inner(title)}</a></li>`,
    'marked item without a label': (href, title) => `<li data-src-id="1"><a href="${href}"></a>${inner(title)}</li>`,
    'label that names no line': (href, title) => `<li><a href="${href}" aria-label="Source"></a>${inner(title)}</li>`,
    'no list item': (href, title) => `<div class="c"><a href="${href}" aria-label="${title}. Opens in new tab."></a>${inner(title)}</div>`,
  };
  for (const [form, card] of Object.entries(forms))
    for (const [first, second, references] of [
      ['https://hill.example/on', 'https://lake.example/on', ['https://hill.example/on', 'https://lake.example/on']],
      ['/goto?url=CAESa', '/goto?url=CAESb', []],
      ['https://hill.example/on', '/goto?url=CAESb', ['https://hill.example/on']],
    ] as const) {
      // without its title a cited page is unread
      const isTitled = !/label/.test(form);
      const cited = isTitled ? [...references] : [];
      const cards = `<${form === 'no list item' ? 'div' : 'ul'}>${card(first, 'On hills')}${card(second, 'On lakes')}</${form === 'no list item' ? 'div' : 'ul'}>`;
      const { resource, unread } = found(
        `<div data-mcpr=""><div id="m-x-content"><div>${LABEL}${text}${cards}</div></div></div>${column(TEA)}`,
      );
      assert.equal(resource.aiOverview?.text, 'Hills are high.\nLakes are deep and wide.', `${form} ${first}`);
      assert.deepEqual(
        resource.aiOverview?.references.map(({ url }) => url),
        cited,
        `${form} ${first}`,
      );
      assert.deepEqual(unread ?? [], cited.length < 2 ? ['aiOverview.references'] : [], `${form} ${first}`);
    }
});

test('a linked word of a sentence is text of the answer, also where it is the only labelled link', () => {
  const text = '<div>Lakes are <a href="https://lake.example/" aria-label="deep">deep</a> and wide.</div>';
  assert.equal(withOverview(LABEL, text), 'Lakes are deep and wide.');
});

test('an answer of which only the headings came is announced, and not brought', () => {
  const frame = (inner: string) =>
    `<div data-mcpr=""><h1>AI Overview</h1><div data-async-type="folsrch">${inner}</div></div>${column(TEA)}`;
  const searching = '<div role="heading" aria-level="2"><div>Searching</div></div>';
  const { resource, unread } = found(frame(searching));
  assert.deepEqual([resource.aiOverview, resource.features, unread], [null, ['organic'], ['aiOverview']]);
  const offer = '<div><div>Get an AI-powered overview for this search?</div><div>Generating</div></div><div role="button">Generate</div>';
  assert.deepEqual([read(frame(offer)).aiOverview, found(frame(offer)).unread], [null, ['aiOverview']]);
  assert.equal(read(frame(`${searching}<div>Tea is a drink.</div>`)).aiOverview?.text, 'Searching\nTea is a drink.');
});

test('the cited pages in the list that opens over the answer are references, too', () => {
  const card = (name: string, tail = '. Opens in new tab.') =>
    `<li><div data-src-id="${name.length}"><a href="https://${name}.example/" aria-label="On ${name}s${tail}"></a><div>On ${name}s</div></div></li>`;
  const page = (hidden: string) =>
    `<div data-mcpr=""><div id="m-x-content"><div data-container-id="main-col">${LABEL}<div>Tea is a drink.</div></div><ul>${card('leaf')}</ul>${hidden}</div></div>${column(TEA)}`;
  const named = ({ resource, unread }: ReturnType<typeof found>) => [
    resource.aiOverview?.references.map(({ title }) => title),
    unread ?? [],
  ];
  for (const list of ['<div style="display:none">', '<div role="dialog" style="display: none">'])
    assert.deepEqual(named(found(page(`${list}<ul>${card('leaf')}${card('kettle')}</ul></div>`))), [['On leafs', 'On kettles'], []], list);
  // hosts alone: known pages, or pages without a title
  const hosts = '<div style="display:none"><a href="https://leaf.example/">leaf.example</a></div>';
  assert.deepEqual(named(found(page(hosts))), [['On leafs'], []]);
  assert.deepEqual(named(found(page(hosts.replaceAll('leaf', 'pot')))), [['On leafs'], ['aiOverview.references']]);
  const untold = `<div hidden>${card('pot', '')}</div>`;
  assert.deepEqual(named(found(page(untold))), [['On leafs'], ['aiOverview.references']], 'a label of another form');
});
