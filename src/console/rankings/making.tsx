import { Button, Status } from '../parts/controls.tsx';
import { Meter } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import type { Progress } from './make-watches.ts';

interface MakingProps {
  readonly of: Progress;
  readonly count: number;
  readonly isChecked: boolean;
  readonly isOver: boolean;
  readonly leave: () => void;
}
/** How far the making of watches is, and the lines that failed. */
export function Making({ of: { made, checked, credits: charged, failed }, count, isChecked, isOver, leave }: MakingProps) {
  const parts = [
    `${number(made)} of ${plural(count, 'watch', 'watches')} made`,
    isChecked && `${number(checked)} checked`,
    charged > 0 && `${plural(charged, 'credit')} charged`,
  ];
  const words = parts.filter(Boolean).join(' · ');
  return (
    <div class="stack">
      <p>
        <strong>{words}</strong>
      </p>
      <Meter share={(made + failed.length) / Math.max(1, count)} />
      <Status words={isOver ? words : null} />
      {failed.length > 0 && (
        <ul class="rows failed-lines">
          {failed.map(({ line, keyword, why }) => (
            <li key={`${line} ${keyword}`}>
              <span class="grow">
                Line {line}, {keyword}: {why}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!isOver && <p class="about">Closing this stops it: what was made stays.</p>}
      <p class="actions ends">
        <Button class={isOver ? 'primary' : undefined} text={isOver ? 'Show the rankings' : 'Stop'} onClick={leave} />
      </p>
    </div>
  );
}
