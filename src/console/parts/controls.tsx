import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icons.tsx';

export const Button = ({ icon, text, ...more }: { icon?: IconName; text?: ComponentChildren } & JSX.IntrinsicElements['button']) => (
  <button type="button" {...more}>
    {icon && <Icon name={icon} />}
    {text}
  </button>
);

interface LinkButtonProps {
  readonly icon?: IconName;
  readonly text: string;
  readonly href: string;
  readonly class?: string;
}
/** A link that looks like a button; to another origin it opens a tab. */
export const LinkButton = ({ icon, text, href, class: name = '' }: LinkButtonProps) => (
  <a class={`button ${name}`} href={href} {...(href.startsWith('http') && { target: '_blank', rel: 'noopener noreferrer' })}>
    {icon && <Icon name={icon} />}
    {text}
  </a>
);

export const Check = ({ text, isOn, set }: { text: string; isOn: boolean; set: (isOn: boolean) => void }) => (
  <label>
    <input type="checkbox" checked={isOn} onChange={(e) => set(e.currentTarget.checked)} /> {text}
  </label>
);

interface SearchProps {
  /** Its accessible name, and its placeholder unless `hint` is one. */
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly set: (value: string) => void;
}
export const SearchInput = ({ label, hint = label, value, set }: SearchProps) => (
  <input type="search" aria-label={label} placeholder={hint} value={value} onInput={(e) => set(e.currentTarget.value)} />
);

/** What screen readers say when it changes. */
export const Status = ({ words }: { words: string | null }) => (
  <p class="visually-hidden" role="status">
    {words}
  </p>
);
