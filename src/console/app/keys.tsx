import { effect, type Signal, signal } from '@preact/signals';
import { Check, Dialog } from '../parts/controls.tsx';
import { go, pageAt } from './place.ts';

/** Null where the browser keeps nothing: private windows. */
function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** A choice that the browser keeps; the first value is the usual one, which is not stored. */
function stored<T extends string>(key: string, values: readonly [T, ...T[]]): Signal<T> {
  const before = attempt(() => localStorage.getItem(key));
  const chosen = signal(values.find((value) => value === before) ?? values[0]);
  effect(() => {
    const { value } = chosen;
    attempt(() => (value === values[0] ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
  });
  return chosen;
}

export const THEMES = ['system', 'light', 'dark'] as const;
export const theme = stored('sightline.theme', THEMES);
/** Whether keys without Ctrl or Alt act (WCAG 2.1.4: they can be switched off). */
export const singleKeys = stored('sightline.single-keys', ['on', 'off']);

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export const opened = signal<'palette' | 'keys' | 'more' | 'operations' | null>(null);
export const closeOpened = (): void => {
  opened.value = null;
};

export const FIND = 'Find a page, an act, an operation, a watch, a key, a source or an account';
/** The keys of the console; `?` shows this table. What they do is also reachable without them. */
const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K', FIND],
  ['Ctrl Enter', 'Run the form of the Workbench'],
  ['Esc', 'Stop a lookup that runs; close what is open'],
  ['/', 'Find'],
  ['g h', 'Home'],
  ['g w', 'Workbench'],
  ['g r', 'Requests'],
  ['/ s a', 'Rankings: find a keyword, sites, add keywords'],
  ['j k', 'The next and the previous row of a list; Enter opens it'],
  ['i', 'Import domains, on the page Domains'],
  ['?', 'These keys'],
];
const GO: Readonly<Record<string, string>> = { h: '/console', w: '/console/w/serp', r: '/console/requests' };
const SEQUENCE_MS = 1000;

/** Whether a key is meant for what is typed into. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** Single keys of a page, before those of the console; one whose act gives false goes on to others. Returns what ends them. */
export function listenForPageKeys(acts: Readonly<Record<string, () => unknown>>): () => void {
  const listen = (event: KeyboardEvent): void => {
    const act = acts[event.key];
    const isSingle = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!act || !isSingle || singleKeys.value === 'off' || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (act() === false) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('keydown', listen, true);
  return () => document.removeEventListener('keydown', listen, true);
}

export function listenForKeys(): () => void {
  let goAt = Number.NEGATIVE_INFINITY;
  const listen = (event: KeyboardEvent): void => {
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'k') {
      event.preventDefault();
      opened.value = 'palette';
      return;
    }
    if (document.querySelector('dialog[open]')) return;
    const isSingle = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isSingle || singleKeys.value === 'off' || isTyping(event.target)) return;
    const to = event.timeStamp - goAt < SEQUENCE_MS ? GO[key] : undefined;
    goAt = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (to !== undefined) go(pageAt(to));
    else if (key === '/') opened.value = 'palette';
    else if (key === '?') opened.value = 'keys';
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', listen);
  return () => document.removeEventListener('keydown', listen);
}

type KeyEvent = KeyboardEvent & { readonly currentTarget: HTMLElement };

/** Moves the focus by the step of a key, from the element that has it or whose row of a table has it; from elsewhere to the first. */
export function moveBy(event: KeyEvent, selector: string, steps: Readonly<Record<string, number>>): void {
  const step = steps[event.key];
  if (step === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const here = all.findIndex((each) => (each.closest('tr') ?? each).contains(document.activeElement));
  all[here < 0 ? 0 : here + step]?.focus();
  event.preventDefault();
}

/** Moves the focus along the elements of a row by the arrows, Home and End; they are one stop for Tab. Returns the one that has it now. */
export function moveAlong(event: KeyEvent, selector: string): HTMLElement | undefined {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const here = all.indexOf(document.activeElement as HTMLElement);
  const last = all.length - 1;
  const places = { ArrowRight: here === last ? 0 : here + 1, ArrowLeft: here === 0 ? last : here - 1, Home: 0, End: last };
  const next = here < 0 ? undefined : all[places[event.key as keyof typeof places]];
  if (!next) return undefined;
  event.preventDefault();
  for (const each of all) each.tabIndex = each === next ? 0 : -1;
  next.focus();
  return next;
}

export const KeyHelp = () => (
  <Dialog title="Keyboard" onClose={closeOpened}>
    <div class="stack">
      <dl class="facts">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="actions">
        <Check text="Single keys act" isOn={singleKeys.value === 'on'} set={(isOn) => (singleKeys.value = isOn ? 'on' : 'off')} />
      </p>
    </div>
  </Dialog>
);
