import type { ComponentChildren } from 'preact';
import { Button } from './controls.tsx';

/** Longer ones, such as dates and names, are written smaller: they stand on one line. */
const LONGEST_FIGURE = 10;
/** Name, figure and meaning; `choice`: it chooses what is shown below. */
export type Stat = readonly [
  name: string,
  figure: ComponentChildren,
  meaning?: ComponentChildren,
  choice?: { readonly isChosen: boolean; readonly choose: () => void },
];
export const Stats = ({ stats }: { stats: readonly (Stat | false)[] }) => (
  <dl class="stats">
    {stats
      .filter((stat) => stat !== false)
      .map(([name, figure, meaning, choice]) => (
        <div key={name}>
          <dt>{choice ? <Button text={name} aria-pressed={choice.isChosen} onClick={choice.choose} /> : name}</dt>
          <dd>
            {typeof figure === 'string' && figure.length > LONGEST_FIGURE ? <span class="name-figure">{figure}</span> : figure}
            {meaning && <small>{meaning}</small>}
          </dd>
        </div>
      ))}
  </dl>
);
