import { type ComponentChildren, toChildArray } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { ago, exactTime, moment, shortTime } from './format.ts';
import { Icon, type IconName } from './icons.tsx';
import { Readable } from './readable.tsx';

interface CardProps extends Partial<Pick<RowsProps, 'rows' | 'none'>> {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly inset?: boolean;
  readonly facts?: FactsProps['facts'];
  readonly children?: ComponentChildren;
}
/** A section of a page: rows or facts, and what follows them; nothing where it has no contents. */
export function Card({ title, aside, inset = false, rows = [], none, facts, children }: CardProps) {
  const id = useId();
  if (rows.length === 0 && !none && !facts && toChildArray(children).length === 0) return null;
  return (
    <section class={inset ? 'card inset' : 'card'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {typeof aside === 'string' ? <span class="caption">{aside}</span> : aside}
      </header>
      <Rows rows={rows} none={none} />
      {facts && <Facts facts={facts} />}
      {children}
    </section>
  );
}

export type Tone = 'good' | 'warn' | 'bad' | 'busy' | 'plain';
const TONE_ICONS: Readonly<Record<Tone, IconName>> = { good: 'check', warn: 'warning', bad: 'close', busy: 'clock', plain: 'pause' };

export const Pill = ({ tone, icon = TONE_ICONS[tone], text }: { tone: Tone; icon?: IconName; text: ComponentChildren }) => (
  <span class={`pill ${tone}`}>
    <Icon name={icon} />
    {text}
  </span>
);

/** The status of a request: an answer, a refusal that the caller can cure, a thing that is not there, or a failure. */
export const StatusPill = ({ status, children }: { status: number; children?: ComponentChildren }) => {
  const tone = status >= 200 && status < 400 ? 'good' : [402, 429, 501].includes(status) ? 'warn' : status === 404 ? 'plain' : 'bad';
  return <Pill tone={tone} {...(tone === 'plain' && { icon: 'info' })} text={[status || 'no answer', children]} />;
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

export const Used = ({ words, share, title }: { words: string; share: number; title?: string }) => (
  <span class="spent" title={title}>
    {words}
    <Meter share={share} isCap />
  </span>
);

export interface ListEntry {
  readonly id: string;
  /** In a tile where the row has two lines. */
  readonly icon?: IconName | undefined;
  readonly before?: ComponentChildren;
  /** What it is, as a link where it has an address, and below it more of it. */
  readonly first: ComponentChildren;
  readonly href?: string | undefined;
  /** It is the entry that is shown beside the list. */
  readonly isHere?: boolean;
  readonly second?: ComponentChildren;
  readonly aside?: ComponentChildren;
}
interface RowsProps {
  readonly rows: readonly ListEntry[];
  readonly boxed?: boolean;
  /** Two beside each other where there is room. */
  readonly isPaired?: boolean;
  /** Stands for an empty list. */
  readonly none?: string;
}
const readable = (words: ComponentChildren): ComponentChildren => (typeof words === 'string' ? <Readable text={words} /> : words);
/** Rows below each other. */
export const Rows = ({ rows, boxed = false, isPaired = false, none }: RowsProps) =>
  rows.length === 0 ? (
    none && <p class="none">{none}</p>
  ) : (
    <ul class={`rows${boxed ? ' boxed' : ''}${isPaired ? ' paired' : ''}`}>
      {rows.map(({ id, icon, before, first, href, isHere = false, second, aside }) => (
        <li key={id}>
          {icon && (
            <span class={second ? 'tile' : 'about'}>
              <Icon name={icon} />
            </span>
          )}
          {before}
          <span class="grow">
            {href === undefined ? (
              readable(first)
            ) : (
              <a href={href} aria-current={isHere ? 'page' : undefined}>
                {readable(first)}
              </a>
            )}
            {second && <br />}
            {second && <span class="caption">{readable(second)}</span>}
          </span>
          {aside}
        </li>
      ))}
    </ul>
  );

export const Empty = ({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </div>
);

export const NotStated = () => (
  <span class="unstated" title="not stated by the source">
    –<span class="visually-hidden"> not stated by the source</span>
  </span>
);

/** What is null, in one line; nothing where nothing is. */
export const NotStatedLine = ({ names }: { names: readonly string[] }) =>
  names.length === 0 ? null : <p class="about">{names.join(', ')}: not stated by the source.</p>;

export type Fact = readonly [name: string, value: ComponentChildren | readonly string[]];
const isWords = (value: Fact[1]): value is readonly string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');
/** A list of words has a box for each, an empty one is a null; a flag is a word. */
function drawn(value: Fact[1]): ComponentChildren {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return isWords(value) ? value.length > 0 ? <Tags tags={value} /> : null : value;
}

interface FactsProps {
  readonly facts: readonly Fact[] | Readonly<Record<string, Fact[1]>>;
}
/** Names with their values; what is null is named in one line below, what is undefined is left out. */
export function Facts({ facts }: FactsProps) {
  const all: readonly Fact[] = (Array.isArray(facts) ? facts : Object.entries(facts)).map(([name, value]) => [name, drawn(value)]);
  return (
    <>
      <dl class="facts">
        {all.map(
          ([name, value]) =>
            (value ?? null) !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{readable(value)}</dd>
              </div>
            ),
        )}
      </dl>
      <NotStatedLine names={all.flatMap(([name, value]) => (value === null ? [name] : []))} />
    </>
  );
}

export function Tags({ tags, none = 'none' }: { tags: readonly string[]; none?: string }) {
  if (tags.length === 0) return <span class="unstated">{none}</span>;
  return (
    <ul class="tags">
      {tags.map((tag, index) => (
        <li key={`${index}${tag}`}>{tag}</li>
      ))}
    </ul>
  );
}

/** The address if it leads to the web: nothing else of an upstream becomes a link or a picture. */
export function webAddress(text: string | null): URL | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** A link to a page of an upstream; plain text where the address is none of the web. */
export function OutLink({ href, children }: { href: string | null; children?: ComponentChildren }) {
  const shown = children ?? (href === null ? null : <Readable text={href} />);
  if (!webAddress(href)) return <>{shown}</>;
  return (
    <a href={href ?? ''} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  );
}

type PictureProps = Readonly<{ src: string | null; what: string; isAsked?: boolean }>;
/** A picture of an upstream: nothing is requested before the click, here or on what asks for all of a list. */
export function Picture({ src, what, isAsked = false }: PictureProps) {
  const [state, setState] = useState<'unasked' | 'asked' | 'failed'>(isAsked ? 'asked' : 'unasked');
  const url = webAddress(src);
  const why = src === null ? 'not stated' : url ? 'could not be loaded' : 'no address of the web';
  if (!url || state === 'failed') return <span class="picture empty">{`${what}: ${why}`}</span>;
  if (state === 'asked')
    return <img class="picture" src={url.href} alt={what} referrerpolicy="no-referrer" loading="lazy" onError={() => setState('failed')} />;
  const load = { text: `Load ${what.toLowerCase()}`, title: `Load the picture from ${url.host}`, onClick: () => setState('asked') };
  return <Button {...load} class="picture ask" />;
}

export const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {shortTime(at)}
  </time>
);
/** How long ago it was; the instant is in its title. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {ago(at)}
  </time>
);
/** An instant and how long ago it was. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {moment(at)} <span class="about">{ago(at)}</span>
  </time>
);
