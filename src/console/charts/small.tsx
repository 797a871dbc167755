import './chart.css';

export const Legend = ({ entries }: { entries: readonly (readonly [shade: string, words: string])[] }) => (
  <ul class="legend">
    {entries.map(([shade, words]) => (
      <li key={words}>
        <i class={`swatch ${shade}`} />
        {words}
      </li>
    ))}
  </ul>
);

export interface Hour {
  readonly attempts: number;
  readonly good: number;
}
const stateOf = ({ attempts, good }: Hour): 'dot' | 'full' | 'half' | 'broken' =>
  attempts === 0 ? 'dot' : good / attempts >= 0.9 ? 'full' : good / attempts >= 0.5 ? 'half' : 'broken';

/** 24 hours, oldest first: full = answered, half = often not, broken = mostly failed, dot = not asked. */
export function Health({ hours }: { hours: readonly Hour[] }) {
  const states = hours.map(stateOf);
  const count = (state: string): number => states.filter((each) => each === state).length;
  const words = `Last 24 hours: ${count('full')} good, ${count('half')} half, ${count('broken')} failed, ${count('dot')} not asked`;
  return (
    <svg class="health" width={hours.length * 4} height="16" role="img" aria-label={words}>
      {states.map((state, i) => {
        const x = i * 4;
        if (state === 'broken')
          return (
            <g key={i} class="broken">
              <rect x={x} y="0" width="3" height="6" />
              <rect x={x} y="10" width="3" height="6" />
            </g>
          );
        const height = { dot: 1, half: 8, full: 16 }[state];
        return <rect key={i} class={state} x={x} y={16 - height} width="3" height={height} />;
      })}
    </svg>
  );
}
