import { type ComponentChildren, toChildArray } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './controls.tsx';
import { Icon, type IconName } from './icons.tsx';

interface CardProps {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly inset?: boolean;
  readonly children?: ComponentChildren;
}
/** A section of a page; nothing where it has no contents. */
export function Card({ title, aside, inset = false, children }: CardProps) {
  const id = useId();
  if (toChildArray(children).length === 0) return null;
  return (
    <section class={inset ? 'card inset' : 'card'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'plain';
const TONE_ICONS: Readonly<Record<Tone, IconName>> = { good: 'check', warn: 'warning', bad: 'close', busy: 'clock', plain: 'pause' };

/** A state: an icon and a word. */
export const Pill = ({ tone, icon = TONE_ICONS[tone], text }: { tone: Tone; icon?: IconName; text: ComponentChildren }) => (
  <span class={`pill ${tone}`}>
    <Icon name={icon} />
    {text}
  </span>
);

/** The status of a request: an answer, a refusal that the caller can cure, a thing that is not there, or a failure. */
export const StatusPill = ({ status, children }: { status: number; children?: ComponentChildren }) => {
  const tone = status >= 200 && status < 400 ? 'good' : status === 402 || status === 429 ? 'warn' : status === 404 ? 'plain' : 'bad';
  return <Pill tone={tone} text={[status || 'no answer', children]} />;
};

/** One sentence that changes how the page is read; at most one a page. */
export const Note = ({ icon = 'info', warn = false, children }: { icon?: IconName; warn?: boolean; children: ComponentChildren }) => (
  <p class={warn ? 'note warn' : 'note'}>
    <Icon name={icon} />
    <span>{children}</span>
  </p>
);

/** A share as a bar; the number stands beside it. That of a cap warns near its end. */
export const Meter = ({ share, isCap = false }: { share: number; isCap?: boolean }) => (
  <svg class={isCap && share >= 0.9 ? 'meter warn' : 'meter'} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect width={Math.min(100, Math.max(0, share * 100))} height="6" />
  </svg>
);

/** What was used of a cap or a budget. */
export const Used = ({ words, share, title }: { words: string; share: number; title?: string }) => (
  <span class="spent" title={title}>
    {words}
    <Meter share={share} isCap />
  </span>
);

/** Name, figure and meaning; `choice`: it chooses what is shown below. */
export type Stat = readonly [
  name: string,
  figure: ComponentChildren,
  meaning?: ComponentChildren,
  choice?: { readonly isChosen: boolean; readonly choose: () => void },
];
export const Stats = ({ stats }: { stats: readonly Stat[] }) => (
  <dl class="stats">
    {stats.map(([name, figure, meaning, choice]) => (
      <div key={name}>
        <dt>{choice ? <Button text={name} aria-pressed={choice.isChosen} onClick={choice.choose} /> : name}</dt>
        <dd>
          {figure}
          {meaning && <small>{meaning}</small>}
        </dd>
      </div>
    ))}
  </dl>
);

interface ChoicesProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly (readonly [value: T, words: ComponentChildren, aside?: ComponentChildren])[];
  readonly value: T;
  readonly choose: (value: T) => void;
  /** Below each other, in a popover; else beside each other. */
  readonly isList?: boolean;
}

export function Choices<T extends string>({ legend, choices, value, choose, isList = false }: ChoicesProps<T>) {
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
    </fieldset>
  );
}

interface ListRowProps {
  /** In a tile where the row has two lines. */
  readonly icon?: IconName;
  readonly before?: ComponentChildren;
  /** What it is, as a link where it has an address, and below it more of it. */
  readonly first: ComponentChildren;
  readonly href?: string | undefined;
  /** It is the entry that is shown beside the list. */
  readonly isHere?: boolean;
  readonly second?: ComponentChildren;
  readonly children?: ComponentChildren;
}
export const ListRow = ({ icon, before, first, href, isHere = false, second, children }: ListRowProps) => (
  <li>
    {icon ? (
      <span class={second ? 'tile' : 'about'}>
        <Icon name={icon} />
      </span>
    ) : (
      before
    )}
    <span class="grow">
      {href === undefined ? (
        first
      ) : (
        <a href={href} aria-current={isHere ? 'page' : undefined}>
          {first}
        </a>
      )}
      {second && <br />}
      {second && <span class="caption">{second}</span>}
    </span>
    {children}
  </li>
);

export const Empty = ({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);
