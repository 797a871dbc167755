import { Note } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import type { OpenFile } from './open-file.ts';

/** What was asked again because the page ended, and what that cost. */
export function AskedAgain({ file }: { file: OpenFile }) {
  const { begun } = file.job.value;
  if (!begun || begun.again.length === 0) return null;
  const { again, twice } = begun;
  const open = again.filter((line) => !file.facts.has(line)).length;
  const cost =
    twice === null
      ? open > 0
        ? 'What they cost is compared with the ledger at the end.'
        : 'What they cost could not be compared with the ledger.'
      : twice.length === 0
        ? 'None of them was charged twice.'
        : `Charged twice, because the answer was not kept any more: ${twice.map(([line, more]) => `line ${number(line)} (${plural(more, 'credit')} more)`).join(', ')}.`;
  return (
    <Note icon="refresh">
      {plural(again.length, 'line was', 'lines were')} in flight when this page ended or its connection was lost, and{' '}
      {again.length === 1 ? 'is' : 'are'} asked again: {again.map((line) => number(line)).join(', ')}. {cost}
    </Note>
  );
}
