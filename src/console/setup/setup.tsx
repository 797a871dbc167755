import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { SetupResult } from '../../contract/contract-view.ts';
import { Brand, Icon } from '../parts/icons.tsx';
import { Claim } from './claim.tsx';
import { Keys } from './keys.tsx';
import './setup.css';

const STEPS = ['Claim', 'Store two keys', 'Switch on the rest'];
export function Setup() {
  const made = useSignal<SetupResult | null>(null);
  const step = made.value === null ? 0 : 1;
  useEffect(() => {
    document.title = `${STEPS[step]} · Sightline`;
  }, [step]);
  return (
    <div class="setup">
      <header class="bar">
        <Brand />
        <ol class="stages" aria-label="Steps">
          {STEPS.map((words, i) => (
            <li key={words} class={i < step ? 'done' : undefined} aria-current={i === step ? 'step' : undefined}>
              <span class="mark">{i < step ? <Icon name="check" /> : i + 1}</span>
              <span class="words">{words}</span>
            </li>
          ))}
        </ol>
      </header>
      <main id="main" tabIndex={-1}>
        {made.value === null ? <Claim done={(result) => (made.value = result)} /> : <Keys of={made.value} />}
      </main>
    </div>
  );
}
