import { element, iconOf } from './dom.ts';
import { type Entry, excerpt, type Find, type Group, type Index, indexing, type Kind, marked, search } from './find.ts';

declare global {
  /** Put there by the script of the index. */
  var sightlineFind: Find | undefined;
  /** Chromium's; other browsers take the text itself. */
  var trustedTypes:
    | { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string } }
    | undefined;
}

const SHOWN = 3;
const ICON = {
  guide: 'book',
  project: 'book',
  endpoint: 'terminal',
  field: 'globe',
  parameter: 'sliders',
  header: 'eye',
  error: 'warning',
  act: 'terminal',
} as const satisfies Record<Kind, string>;

/** Marks the words that were sought in a text. */
const withMarks = (text: string, terms: readonly string[]): readonly (Node | string)[] =>
  marked(text, terms).map((part, at) => (at % 2 ? element('mark', {}, part) : part));

/** The index in steps, between which the browser draws. */
async function inSteps(find: Find): Promise<Index> {
  const steps = indexing(find);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** The index, loaded when Find is first opened. */
function load(address: string): Promise<Index> {
  const policy = globalThis.trustedTypes?.createPolicy('sightline-docs', { createScriptURL: (url) => url });
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = policy ? policy.createScriptURL(address) : address;
    script.addEventListener('load', () => {
      const { sightlineFind: found } = globalThis;
      if (found) resolve(inSteps(found));
    });
    script.addEventListener('error', () => reject(new Error(`${address} was not read`)));
    document.head.append(script);
  });
}

/** The button of the bar, Ctrl K and `/` open it. */
export function startFind(): void {
  const { top = './', index: address = '' } = document.querySelector<HTMLScriptElement>('script[data-index]')?.dataset ?? {};
  const button = document.querySelector<HTMLButtonElement>('button.find');
  if (!button) return;
  button.hidden = false;
  let index: Promise<Index> | null = null;

  const input = element('input', {
    ...{
      type: 'text',
      role: 'combobox',
      'aria-label': 'Find in guides and reference',
      'aria-expanded': 'true',
      'aria-controls': 'find-list',
    },
    ...{ 'aria-autocomplete': 'list', autocomplete: 'off', spellcheck: 'false', enterkeyhint: 'go' },
  });
  const list = element('div', { id: 'find-list', role: 'listbox', 'aria-label': 'Found' });
  const none = element('div', { class: 'none' });
  const count = element('span', { role: 'status' });
  const close = element('button', { type: 'button', class: 'quiet', 'aria-label': 'Esc, close' }, element('kbd', {}, 'Esc'));
  const help = element(
    'p',
    { class: 'help' },
    element('span', { class: 'wide-only' }, '↑↓ move   Enter open   Ctrl Enter in a new tab'),
    count,
  );
  const dialog = element(
    'dialog',
    { class: 'find', 'aria-label': 'Find' },
    element('div', { class: 'field' }, iconOf('search'), input, close),
    list,
    none,
    help,
  );
  document.body.append(dialog);

  const opened = new Set<Group>();
  const options = () => [...list.querySelectorAll<HTMLElement>('[role=option]')];
  function activate(option: HTMLElement | undefined): void {
    for (const each of options()) each.setAttribute('aria-selected', String(each === option));
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  }
  const addressOf = (to: string): string => (/^(?:https?:)?\//.test(to) ? to : to === 'index.html' ? top : top.replace(/^\.\/$/, '') + to);

  function optionOf([kind, title, place, to, text]: Entry, terms: readonly string[], id: string): HTMLElement {
    const about = element('small', {}, ...withMarks(excerpt(text, terms), terms));
    const head = element('span', { class: 'head' }, element('b', {}, ...withMarks(title, terms)), element('small', {}, place));
    const option = element(
      'a',
      { role: 'option', id, href: addressOf(to), tabindex: '-1', 'aria-selected': 'false' },
      iconOf(ICON[kind]),
      element('span', {}, head, about),
    );
    option.addEventListener('click', () => dialog.close());
    return option;
  }
  async function show(): Promise<void> {
    index ??= load(address);
    const ready = await index;
    const begun = performance.now();
    const result = search(ready, input.value);
    const took = Math.round(performance.now() - begun);
    let at = 0;
    const groups = result.groups.map(({ name, entries }) => {
      const all = opened.has(name) ? entries : entries.slice(0, SHOWN);
      const shown = all.map((entry) => optionOf(entry, result.terms, `find-${++at}`));
      if (all.length < entries.length) {
        const more = element(
          'div',
          { role: 'option', id: `find-${++at}`, class: 'more', 'aria-selected': 'false' },
          `All ${entries.length}`,
        );
        more.setAttribute('aria-label', `All ${entries.length} in ${name}`);
        more.addEventListener('click', () => {
          opened.add(name);
          void show();
        });
        shown.push(more);
      }
      return element(
        'div',
        { role: 'group', 'aria-label': name },
        element('div', { class: 'title', 'aria-hidden': 'true' }, name),
        ...shown,
      );
    });
    list.replaceChildren(...groups);
    list.hidden = groups.length === 0;
    none.replaceChildren(...(groups.length ? [] : nothing(ready, result.nearest)));
    none.hidden = groups.length > 0;
    const shown = options().filter((option) => option.matches('a')).length;
    count.textContent =
      input.value.trim() === '' ? '' : result.count === 0 ? 'Nothing found' : `${shown} of ${result.count}, ${took} ms, offline`;
    activate(options()[0]);
  }
  /** Shows the guides before something is typed and, where nothing is found, words that look like the query. */
  function nothing({ find }: Index, nearest: readonly string[]): readonly HTMLElement[] {
    const words = nearest.map((word) => {
      const choose = element('button', { type: 'button' }, word);
      choose.addEventListener('click', () => {
        input.value = word;
        input.focus();
        void show();
      });
      return choose;
    });
    const guides = find.guides.map(([name, to]) => element('li', {}, element('a', { href: addressOf(to) }, name)));
    return [
      ...(input.value.trim() === '' ? [] : [element('p', {}, `Nothing is called “${input.value.trim()}”.`)]),
      ...(words.length ? [element('p', { class: 'nearest' }, 'Did you mean ', ...words)] : []),
      element('p', { class: 'title' }, 'Guides'),
      element('ul', {}, ...guides),
    ];
  }
  function open(): void {
    if (dialog.open) return;
    opened.clear();
    dialog.showModal();
    input.select();
    void show().catch(() => {
      count.textContent = 'The index was not read. Load the page again.';
      index = null;
    });
  }
  input.addEventListener('input', () => {
    opened.clear();
    void show();
  });
  input.addEventListener('keydown', (event) => {
    const all = options();
    const here = all.findIndex((option) => option.getAttribute('aria-selected') === 'true');
    if (event.key === 'ArrowDown') activate(all[Math.min(here + 1, all.length - 1)]);
    else if (event.key === 'ArrowUp') activate(all[Math.max(here - 1, 0)]);
    else if (event.key === 'Enter') {
      const chosen = all[here];
      if (chosen instanceof HTMLAnchorElement && (event.ctrlKey || event.metaKey)) window.open(chosen.href, '_blank', 'noopener');
      else chosen?.click();
    } else return;
    event.preventDefault();
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    // the backdrop
    if (event.target === dialog) dialog.close();
  });
  button.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    if (!isShortcut && (event.key !== '/' || isTyping || event.ctrlKey || event.altKey || event.metaKey)) return;
    event.preventDefault();
    open();
  });
}
