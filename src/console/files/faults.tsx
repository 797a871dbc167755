import { useSignal } from '@preact/signals';
import { Button } from '../parts/controls.tsx';
import { Card } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { type OpenFile, rearrange } from './open-file.ts';
import { type BadLine, type Reading, shortWhy } from './reading.ts';

const SHOWN = 25;

/** A line that cannot be read, with its text to be repaired. */
function Fault({ file, fault: { line, text, why } }: { file: OpenFile; fault: BadLine }) {
  const id = `repair-${line}`;
  const repair = (to: string): void => {
    if (to === text) return;
    const others = file.job.peek().repairs.filter(([other]) => other !== line);
    void rearrange(file, { repairs: [...others, [line, to]] });
  };
  return (
    <li>
      <label for={text === null ? undefined : id}>Line {number(line)}</label>
      {text === null ? (
        <span class="caption">too long to be repaired here</span>
      ) : (
        <input
          id={id}
          type="text"
          spellcheck={false}
          aria-describedby={`${id}-why`}
          defaultValue={text}
          onChange={(event) => repair(event.currentTarget.value)}
        />
      )}
      <span id={`${id}-why`} class="wrong">
        {shortWhy(why)}
      </span>
    </li>
  );
}

/** Every line that cannot be read: its number, text and reason. It is left out unless it is repaired. */
export function Faults({ file, reading: { bad } }: { file: OpenFile; reading: Reading }) {
  const shown = useSignal(SHOWN);
  return (
    <Card title={`${plural(bad.length, 'line')} left out`} aside="free; repair one here, or run without them">
      <ol class="file-faults">
        {bad.slice(0, shown.value).map((fault) => (
          <Fault key={`${fault.line} ${fault.text}`} file={file} fault={fault} />
        ))}
      </ol>
      {bad.length > shown.value && (
        <p class="actions">
          <Button text={`Show ${number(Math.min(SHOWN, bad.length - shown.value))} more`} onClick={() => (shown.value += SHOWN)} />
        </p>
      )}
    </Card>
  );
}
