import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { number } from '../parts/format.ts';
import { Windowed } from '../parts/windowed.tsx';
import { type JsonRow, jsonRows } from './json-rows.ts';

const ROW_PX = 20;
/** Longer texts are cut in the view; the download has them whole. */
const LONGEST_TEXT = 600;

function valueText(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  if (typeof value === 'object' && value !== null) return '{}';
  if (typeof value !== 'string' || value.length <= LONGEST_TEXT) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, LONGEST_TEXT))} … ${number(value.length - LONGEST_TEXT)} more characters`;
}

const kindOf = (value: unknown): string => (value === null ? 'null' : typeof value);

function Row({ row, turn }: { row: JsonRow; turn: (pointer: string) => void }) {
  const name = row.name === null ? null : <span class="name">{JSON.stringify(row.name)}: </span>;
  const indent = { paddingInlineStart: `${row.depth * 1.1 + 1.2}em` };
  if (row.closes !== null)
    return (
      <div class="row" style={indent}>
        {row.closes}
      </div>
    );
  if (row.expanded === null)
    return (
      <div class="row" style={indent}>
        {name}
        <span class={kindOf(row.value)}>{valueText(row.value)}</span>
      </div>
    );
  const [opens, closes] = Array.isArray(row.value) ? ['[', ']'] : ['{', '}'];
  return (
    <div class="row" style={indent}>
      <button
        type="button"
        aria-expanded={row.expanded}
        aria-label={`${row.name ?? (row.pointer || 'answer')}, ${row.size} entries`}
        onClick={() => turn(row.pointer)}
      >
        {row.expanded ? '▾' : '▸'}
      </button>
      {name}
      {opens}
      {!row.expanded && (
        <span class="size">
          {' '}
          {number(row.size)} {closes}
        </span>
      )}
    </div>
  );
}

/** A JSON value as lines; what is large is closed at first, and only lines near the viewport are rendered. */
export function JsonView({ value }: { value: unknown }) {
  const turned = useSignal<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => jsonRows(value, turned.value), [value, turned.value]);
  const turn = (pointer: string): void => {
    const next = new Set(turned.value);
    if (!next.delete(pointer)) next.add(pointer);
    turned.value = next;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="json" aria-label="The answer as JSON" tabIndex={0}>
      <Windowed items={rows} rowHeightPx={ROW_PX} chunkSize={100}>
        {(row) => <Row key={row.pointer} row={row} turn={turn} />}
      </Windowed>
    </section>
  );
}
