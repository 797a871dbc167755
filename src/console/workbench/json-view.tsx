import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button, CopyButton, SearchInput, useTurned } from '../parts/controls.tsx';
import { Card, type Fact } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { Windowed } from '../parts/table.tsx';
import type { Answer } from './answer.ts';

const ROW_PX = 20;
/** Longer texts are cut in the view; the download has them whole. */
const LONGEST_TEXT = 600;
/** Nulls of longer answers are not counted: that would be a long task. */
const MOST_COUNTED = 500_000;
/** Containers larger than this, and what they hold, are closed at first. */
const OPEN_UP_TO = 60;
const OPEN_DEPTH = 3;

interface Line {
  /** Path of the value, JSON Pointer (RFC 6901); the line that closes it has a slash more. */
  readonly pointer: string;
  readonly depth: number;
  readonly name: string | null;
  /** A value without entries; undefined: the line is a bracket. */
  readonly value?: unknown;
  readonly bracket?: string;
  /** What can be folded; `end`: the bracket that closes it. */
  readonly entries?: { readonly isOpen: boolean; readonly size: number; readonly end: string };
}

/** The lines of a JSON value. `turned`: pointers whose state is the other one than at first. */
function linesOf(root: unknown, turned: ReadonlySet<string>): readonly Line[] {
  const lines: Line[] = [];
  const add = (value: unknown, name: string | null, pointer: string, depth: number, isCrowded: boolean): void => {
    const isArray = Array.isArray(value);
    const inside = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    const size = inside.length;
    if (size === 0) return void lines.push({ pointer, depth, name, value });
    const openAtFirst = depth === 0 || (depth < OPEN_DEPTH && size <= OPEN_UP_TO && !isCrowded);
    const isOpen = openAtFirst !== turned.has(pointer);
    const [bracket, end] = isArray ? ['[', ']'] : ['{', '}'];
    lines.push({ pointer, depth, name, bracket, entries: { isOpen, size, end } });
    if (!isOpen) return;
    const crowds = isArray && size > OPEN_UP_TO;
    for (const [key, item] of inside)
      add(item, isArray ? null : key, `${pointer}/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`, depth + 1, crowds);
    lines.push({ pointer: `${pointer}/`, depth, name: null, bracket: end });
  };
  add(root, null, '', 0, false);
  return lines;
}

function jsonText(value: unknown): string {
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, LONGEST_TEXT))} … ${number(value.length - LONGEST_TEXT)} more characters`;
}

const LineView = ({ line, turn }: { line: Line; turn: (pointer: string) => void }) => {
  const { pointer, depth, name, value, bracket, entries } = line;
  return (
    <div class="row" style={{ paddingInlineStart: `${depth * 1.1 + 1.2}em` }}>
      {entries && (
        <Button
          text={entries.isOpen ? '▾' : '▸'}
          aria-expanded={entries.isOpen}
          aria-label={`${name ?? (pointer || 'answer')}, ${entries.size} entries`}
          onClick={() => turn(pointer)}
        />
      )}
      {name !== null && <span class="name">{JSON.stringify(name)}: </span>}
      {bracket ?? <span class={value === null ? 'null' : typeof value}>{jsonText(value)}</span>}
      {entries && !entries.isOpen && <span class="size">{` ${number(entries.size)} ${entries.end}`}</span>}
    </div>
  );
};

/** How often each field is null, by its path without places of lists. */
function nullsOf(root: unknown): readonly Fact[] {
  const found = new Map<string, { nulls: number; all: number }>();
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) visit(item, path ? `${path}.${name}` : name);
    const { nulls, all } = found.get(path) ?? { nulls: 0, all: 0 };
    found.set(path, { nulls: nulls + (value === null ? 1 : 0), all: all + 1 });
  };
  visit(root, '');
  return [...found].flatMap(([path, { nulls, all }]): Fact[] => (nulls > 0 ? [[path, `${number(nulls)} of ${number(all)}`]] : []));
}

export function JsonView({ shown }: { shown: Answer }) {
  const [turned, turn] = useTurned();
  const sought = useSignal('');
  const lines = useMemo(() => linesOf(shown.body, turned), [shown, turned]);
  const nulls = useMemo(() => (shown.text.length > MOST_COUNTED ? [] : nullsOf(shown.body)), [shown]);

  const term = sought.value.trim().toLowerCase();
  const isFound = ({ name, value, bracket }: Line): boolean =>
    `${name ?? ''} ${bracket ? '' : jsonText(value)}`.toLowerCase().includes(term);
  const found = term === '' ? lines : lines.filter(isFound);
  return (
    <div class="columns">
      <div class="stack">
        <div class="toolbar">
          <SearchInput label="Find" value={sought.value} set={(text) => (sought.value = text)} />
          <span class="about" role="status">
            {term && plural(found.length, 'line')}
          </span>
          <CopyButton text={() => shown.text}>Copy JSON</CopyButton>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section class="json" aria-label="The answer as JSON" tabIndex={0}>
          <Windowed items={found} rowHeightPx={ROW_PX} chunkSize={100}>
            {(line) => <LineView key={line.pointer} line={line} turn={turn} />}
          </Windowed>
        </section>
      </div>
      {nulls.length > 0 && (
        <Card title="Null in this answer" inset facts={nulls}>
          <p class="about">
            Not stated by the source.{' '}
            {shown.received.get('x-fields-unread') ? 'Some fields could not be read.' : 'No field was left unread.'}
          </p>
        </Card>
      )}
    </div>
  );
}
