import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hold } from '../app/place.ts';
import { Button, CopyButton } from './controls.tsx';

/**
 * Secrets that are shown this once: who leaves, by whatever way, before they were copied (themselves, or within a command) is asked once.
 * `isStored`: who sees them said so.
 */
export function useShownOnce(secrets: readonly string[], isStored = false) {
  const texts = useRef<string[]>([]);
  const isAnswered = useRef(false);
  const [leaves, ask] = useState<(() => void) | null>(null);
  const isLost = (): boolean =>
    !isStored && !isAnswered.current && secrets.some((secret) => !texts.current.some((text) => text.includes(secret)));
  const leave = (act: () => void): boolean => {
    const asks = isLost();
    if (asks) ask(() => act);
    return asks;
  };
  // from the moment that it is shown
  useLayoutEffect(() => {
    const ended = new AbortController();
    addEventListener('beforeunload', (event) => isLost() && event.preventDefault(), { signal: ended.signal });
    addEventListener('copy', () => texts.current.push(String(getSelection())), { signal: ended.signal });
    const release = hold(leave);
    return () => {
      ended.abort();
      release();
    };
  }, [isStored]);
  const answer = (act: () => void): void => {
    isAnswered.current = true;
    act();
  };
  return {
    /** True: it is asked first. */
    leave,
    /** It was said, so that nothing is asked. */
    answer,
    copied: (text: string): void => void texts.current.push(text),
    prompt: leaves !== null && (
      <p class="note warn" role="alert">
        <span class="grow">{secrets.length > 1 ? 'Not both keys were copied. They' : 'It was not copied. It'} cannot be shown again.</span>
        <Button text="Leave" onClick={() => answer(leaves)} />
        <Button
          text="Stay"
          onClick={() => {
            isAnswered.current = true;
            ask(null);
          }}
        />
      </p>
    ),
  };
}

interface ShownOnceProps {
  readonly secret: string;
  /** A shell line that uses it. */
  readonly example: string | undefined;
  readonly close: () => void;
}
/** In a dialog: a secret, and a command with it. */
export function ShownOnce({ secret, example, close }: ShownOnceProps) {
  const { leave, answer, copied, prompt } = useShownOnce([secret]);
  const top = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const ended = new AbortController();
    // such a dialog is closed by no key of the browser's
    const press = ({ key }: KeyboardEvent): void => {
      const isHere = [...document.querySelectorAll('dialog[open]')].at(-1)?.contains(top.current);
      if (key === 'Escape' && isHere && !leave(close)) close();
    };
    addEventListener('keydown', press, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return (
    <>
      <p ref={top}>Copy it now: it is shown once and cannot be shown again.</p>
      <code class="secret" data-secret>
        {secret}
      </code>
      {example !== undefined && (
        <>
          <p>This command uses it, and says what is left of the balance. It is free.</p>
          <pre class="secret" data-example>
            {example}
          </pre>
        </>
      )}
      {prompt}
      <div class="actions ends">
        {example !== undefined && (
          <CopyButton text={() => example} done={() => copied(example)}>
            Copy the command
          </CopyButton>
        )}
        <Button text="I have stored it" onClick={() => answer(close)} />
        <CopyButton text={() => secret} style="primary" done={() => copied(secret)} />
      </div>
    </>
  );
}
