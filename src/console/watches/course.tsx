import type { WatchHistory } from '../../contract/account/watch-schemas.ts';
import { setQuery } from '../app/place.ts';
import { Chart } from '../charts/chart.tsx';
import { Chip, Choices } from '../parts/controls.tsx';
import { Card } from '../parts/display.tsx';
import { ChoiceFilter, filterOf, setFilters } from '../parts/filters.tsx';
import { number, plural, short, shortTime } from '../parts/format.ts';
import { fieldName } from './change-words.ts';
import { baseOf, type CourseLine, drawnOf, isRank, linesOf, MOST_LINES } from './moves.ts';
import { ENTRIES } from './presets.ts';

export type Check = WatchHistory['checks'][number];
/** Names of lines in the address; no name holds it. */
const SEPARATOR = ', ';

interface ChoosingProps {
  readonly lines: readonly CourseLine[];
  readonly drawn: readonly CourseLine[];
  /** What the entries are called. */
  readonly nouns: string;
  readonly isChosen: boolean;
  readonly format: (value: number) => string;
}
/** Which entries are drawn beside those that the watch is about. */
function Choosing({ lines, drawn, nouns, isChosen, format }: ChoosingProps) {
  const others = lines.filter(({ isOwn }) => !isOwn);
  const own = lines.length - others.length;
  const chosen = drawn.flatMap(({ name, isOwn }) => (isOwn || name === null ? [] : [name]));
  const isFull = drawn.length >= MOST_LINES;
  const turn = (name: string, isOn: boolean): void =>
    setQuery({ _lines: null, _chosen: (isOn ? [...chosen, name] : chosen.filter((one) => one !== name)).join(SEPARATOR) });
  return (
    <Chip value={isChosen ? `${number(chosen.length)} chosen` : 'Choose…'} changed={isChosen} label={`Choose ${nouns}`}>
      {() => (
        <>
          <p class="caption">
            {isFull
              ? `${MOST_LINES} lines at most: untick one to draw another.`
              : `Up to ${MOST_LINES - own} ${nouns}${own > 0 ? ' beside your own' : ''}.`}
          </p>
          {others.map(({ name, values }) => {
            const last = values.findLast((value) => value !== null) ?? null;
            const isOn = name !== null && chosen.includes(name);
            return (
              name !== null && (
                <label key={name} class="option">
                  <input
                    type="checkbox"
                    checked={isOn}
                    disabled={isFull && !isOn}
                    onChange={(event) => turn(name, event.currentTarget.checked)}
                  />
                  <span>{name}</span>
                  <small>{last === null ? '–' : format(last)}</small>
                </label>
              )
            );
          })}
        </>
      )}
    </Chip>
  );
}

const LINES = [
  ['', 'Movers'],
  ['mine', 'Mine'],
] as const;
/** The numbers of the checks; a check without an answer is a gap. Nothing where the operation has no numbers, or before there are two. */
export function Course({ checks, operation }: { checks: readonly Check[]; operation: string }) {
  const fields = [...new Set(checks.flatMap(({ series }) => series.map((point) => baseOf(point.field))))];
  const field =
    fields.find((each) => each === filterOf('_series')) ?? fields.find((each) => each.includes('.') && isRank(each)) ?? fields[0];
  const inOrder = checks.toReversed();
  const answered = field === undefined ? 0 : checks.filter(({ series }) => series.some((point) => baseOf(point.field) === field)).length;
  if (field === undefined || answered < 2) return null;
  const lines = linesOf(inOrder, field);
  const own = lines.filter(({ isOwn }) => isOwn);
  const named = filterOf('_chosen').split(SEPARATOR);
  const isChosen = lines.some(({ name, isOwn }) => !isOwn && name !== null && named.includes(name));
  const isMine = !isChosen && own.length > 0 && filterOf('_lines') === 'mine';
  const drawn = isMine ? own : drawnOf(lines, named);
  const isList = lines.length > 1;
  const hasMoved = drawn.some(({ moves }) => moves > 0);
  const course = `${fieldName(field)} by check`;
  const moved = hasMoved ? 'What moved most' : `No change in ${plural(answered, 'check')}`;
  const noun = ENTRIES[operation]?.name.toLowerCase();
  const nouns = noun === undefined ? 'entries' : `${noun}s`;
  const format = (value: number): string => (value < 10_000 ? number(value) : short(value));
  const about = [isList && `${drawn.length} of ${lines.length} ${nouns}`, isRank(field) && 'place 1 is the top'].filter(Boolean);
  return (
    <Card
      title={isList && !isChosen && !isMine ? moved : course}
      aside={
        <>
          <span class="caption">{about.join(' · ')}</span>
          {isList && (
            <Choices
              legend="Lines"
              choices={LINES.filter(([id]) => id === '' || own.length > 0)}
              value={isChosen ? null : isMine ? 'mine' : ''}
              choose={(chosen) => setFilters({ _lines: chosen, _chosen: '' })}
            >
              {lines.length > own.length && <Choosing {...{ lines, drawn, nouns, isChosen, format }} />}
            </Choices>
          )}
        </>
      }
    >
      {fields.length > 1 && (
        <div class="toolbar">
          <ChoiceFilter id="_series" name="Number" value={field} choices={fields.map((each) => [each, fieldName(each)])} />
        </div>
      )}
      <Chart
        title={course}
        isLines
        isLabelled
        isRank={isRank(field)}
        isCount={drawn.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))}
        places={inOrder.map((check) => check.at)}
        label={shortTime}
        format={format}
        series={drawn.map(({ name, values }) => ({ name: name ?? fieldName(field), values }))}
      />
    </Card>
  );
}
