import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { copyBySelection } from './copy-by-selection.ts';
import { Icon, type IconName } from './icons.tsx';

export const Button = ({ icon, text, ...more }: { icon?: IconName; text?: ComponentChildren } & JSX.IntrinsicElements['button']) => (
  <button type="button" {...more}>
    {icon && <Icon name={icon} />}
    {text}
  </button>
);

/** What a button is about, for screen readers. */
const About = ({ of }: { of: string | undefined }) => of && <span class="visually-hidden"> {of}</span>;

interface LinkButtonProps {
  readonly icon?: IconName;
  readonly text: string;
  readonly href: string;
  /** What it is about, for screen readers: a list has the same button in each row. */
  readonly of?: string;
  readonly class?: string;
  readonly isNewTab?: boolean;
}
/** A link that looks like a button; to another origin it opens a tab. */
export const LinkButton = ({ icon, text, href, of, class: name = '', isNewTab = href.startsWith('http') }: LinkButtonProps) => (
  <a class={`button ${name}`} href={href} {...(isNewTab && { target: '_blank', rel: 'noopener noreferrer' })}>
    {icon && <Icon name={icon} />}
    {text}
    <About of={of} />
  </a>
);

type CheckProps = Readonly<{ text: string; isOn: boolean; set: (isOn: boolean) => void; class?: 'option' }>;
export const Check = ({ text, isOn, set, class: name }: CheckProps) => (
  <label class={name}>
    <input type="checkbox" checked={isOn} onChange={(e) => set(e.currentTarget.checked)} /> {text}
  </label>
);

type SearchProps = Readonly<Record<'label' | 'value', string>> & {
  readonly hint?: string;
  readonly set: (to: string) => void;
  readonly onKeyDown?: JSX.IntrinsicElements['input']['onKeyDown'];
};
/** `label`: its accessible name, and its placeholder unless `hint` is one. */
export const SearchInput = ({ label, set, hint = label, ...more }: SearchProps) => (
  <input {...more} type="search" aria-label={label} placeholder={hint} onInput={(e) => set(e.currentTarget.value)} />
);

/** What screen readers say when it changes. */
export const Status = ({ words }: { words: string | null }) => (
  <p class="visually-hidden" role="status">
    {words}
  </p>
);

/** A set of ids, one of which is turned on or off. */
export function useTurned() {
  const [turned, set] = useState<ReadonlySet<string>>(new Set());
  const turn = (id: string): void => set(new Set(turned.has(id) ? [...turned].filter((each) => each !== id) : [...turned, id]));
  return [turned, turn, (ids: readonly string[]) => set(new Set(ids))] as const;
}

type CopyStyle = 'primary' | 'quiet' | '';
type CopyProps = Readonly<{ text: () => string; children?: string; small?: boolean; style?: CopyStyle; of?: string; done?: () => void }>;
/** Copies a text; `small`: the icon alone. Where the browser does not allow it the button says so. */
export function CopyButton({ text, children = 'Copy', small = false, style = 'quiet', of, done }: CopyProps) {
  const said = useSignal<string | null>(null);
  const copy = async (button: HTMLElement) => {
    try {
      await navigator.clipboard.writeText(text());
      said.value = 'Copied';
    } catch {
      said.value = copyBySelection(button, text()) ? 'Copied' : 'The browser does not allow it';
    }
    if (said.value === 'Copied') done?.();
  };
  return (
    <button
      type="button"
      class={small ? 'quiet icon' : style}
      onClick={(e) => void copy(e.currentTarget)}
      onBlur={() => (said.value = null)}
    >
      <Icon name={said.value === 'Copied' ? 'check' : 'copy'} />
      <span aria-live="polite" class={small && said.value === null ? 'visually-hidden' : undefined}>
        {said.value ?? children}
      </span>
      <About of={of} />
    </button>
  );
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** It holds what would be lost: only its own button closes it, neither Escape nor a close button. */
  readonly keeps?: boolean;
  /** Id of what describes it. */
  readonly describedBy?: string | undefined;
  readonly children: ComponentChildren;
}

/** As `ref`: gives the focus to an element when it is drawn. `autofocus` does not where the address has a fragment. */
export const focusDrawn = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });

/** A modal dialog, open as long as it is rendered; on a phone a sheet. Escape closes it; focus returns to where it was. */
export function Dialog({ title, onClose, keeps = false, describedBy, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    element?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      element?.close();
      // the browser does not return it where the dialog left the page in the same turn
      if (before instanceof HTMLElement && before !== document.body) before.focus();
    };
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    if (!keeps) onClose();
  };
  return (
    // browsers close on a second Escape even where the first was prevented: closedby ends that
    <dialog ref={dialog} aria-label={title} aria-describedby={describedBy} {...(keeps && { closedby: 'none' })} onCancel={cancel}>
      <header>
        <h2>{title}</h2>
        {!keeps && <Button icon="close" class="quiet icon" aria-label="Close" onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly (readonly [value: T, words: ComponentChildren, aside?: ComponentChildren])[];
  /** Null: none is chosen. */
  readonly value: T | null;
  readonly choose: (value: T) => void;
  readonly isList?: boolean;
  /** A chip that is one more choice. */
  readonly children?: ComponentChildren;
}
export function Choices<T extends string>({ legend, choices, value, choose, isList = false, children }: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset class={isList ? undefined : 'segments'}>
      <legend class={isList ? 'caption' : 'visually-hidden'}>{legend}</legend>
      {choices.map(([id, words, aside]) => (
        <label key={id} class={isList ? 'option' : undefined}>
          <input type="radio" name={name} checked={value === id} onChange={() => choose(id)} />
          <span>{words}</span>
          {aside && <small>{aside}</small>}
        </label>
      ))}
      {children}
    </fieldset>
  );
}

interface ChipProps {
  readonly name?: string;
  readonly value: ComponentChildren;
  /** The accessible name of the popover. Default: `name`, else the value. */
  readonly label?: string;
  readonly changed?: boolean;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly tabIndex?: number;
  /** The contents of the popover; `close` returns the focus to the chip. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A value that opens a popover in which it is changed; on a phone a sheet from below. Escape closes it. */
export function Chip(props: ChipProps) {
  const { name, value, label = name ?? String(value), changed = false, title, tabIndex, children } = props;
  const [isOpen, setOpen] = useState(false);
  const [atEnd, setAtEnd] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useLayoutEffect(() => {
    if (!isOpen) return;
    const { left = 0 } = box.current?.getBoundingClientRect() ?? {};
    setAtEnd(left > innerWidth / 2);
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(`.popover ${selector}`);
    (find('input[type=search]') ?? find('input:checked') ?? find(':is(input, select, button, a[href])'))?.focus();
    const ended = new AbortController();
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && !box.current?.contains(target)) setOpen(false);
    };
    for (const act of ['pointerdown', 'focusin']) document.addEventListener(act, outside, { signal: ended.signal });
    return () => ended.abort();
  }, [isOpen]);
  return (
    <div ref={box} class="chip">
      <button
        ref={button}
        type="button"
        class={props.class}
        title={title}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        tabIndex={tabIndex}
        onClick={() => setOpen(!isOpen)}
      >
        {name && <span class="name">{name} </span>}
        <span class={changed ? 'value changed' : 'value'}>{value}</span>
        <Icon name="down" />
      </button>
      {isOpen && (
        <div
          class={atEnd ? 'popover end' : 'popover'}
          role="dialog"
          aria-label={label}
          // a press on a label keeps the focus inside: outside of it the popover closes before the click
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            close();
          }}
        >
          {children(close)}
        </div>
      )}
    </div>
  );
}

export const download = (name: string, type: string, text: string): void => saveFile(name, new Blob([text], { type }));
export function saveFile(name: string, contents: Blob): void {
  const url = URL.createObjectURL(contents);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
