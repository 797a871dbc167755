import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, CopyButton, Dialog } from './controls.tsx';
import { Problem, wordsOf } from './page.tsx';

export interface Asked {
  readonly id: string;
  readonly name: string;
  readonly about?: string | undefined;
  readonly type?: 'text' | 'number' | 'datetime-local';
  readonly required?: boolean;
  readonly value?: string;
  /** Values with their words; the ones in `value`, separated by commas, are chosen. */
  readonly choices?: readonly (readonly [value: string, words: string])[] | undefined;
  readonly isSeveral?: boolean;
}
/** What an act says when it is done: a text, or a secret that is shown once. The dialog stays open for it. */
export type Said = string | { readonly secret: string } | undefined;
const saidIn = (answer: unknown): Said =>
  typeof answer === 'string' || (typeof answer === 'object' && answer !== null && 'secret' in answer) ? (answer as Said) : undefined;
export interface ActProps {
  readonly name: string;
  /** What the button is about, for screen readers: a list has the same button in each row. */
  readonly of?: string;
  /** Button label; default: `${name} ${of}`. */
  readonly title?: string;
  readonly says?: ComponentChildren;
  readonly style?: 'primary' | 'danger' | 'quiet' | undefined;
  /** Words of the button that confirms. Default: `name`. */
  readonly confirm?: string;
  readonly done?: () => unknown;
}

/** `wrong`: the service's error message for this field. */
function Field({ wrong, ...asked }: Asked & { readonly wrong: string | null }) {
  const { id, name, about, type = 'text', required = false, value = '', choices, isSeveral = false } = asked;
  if (choices)
    return (
      <fieldset>
        <legend>{name}</legend>
        <div class="choices">
          {choices.map(([choice, words]) => (
            <label key={choice}>
              <input
                type={isSeveral ? 'checkbox' : 'radio'}
                name={id}
                value={choice}
                required={required && !isSeveral}
                defaultChecked={value.split(', ').includes(choice)}
              />{' '}
              {words}
            </label>
          ))}
        </div>
        <Problem class="wrong" words={wrong} />
      </fieldset>
    );
  return (
    <div class="field">
      <label for={`ask-${id}`}>{name}</label>
      <input
        id={`ask-${id}`}
        name={id}
        // Preact's types ask for one kind of input at a time
        type={type as 'text'}
        required={required}
        defaultValue={value}
        autocomplete="off"
        aria-invalid={wrong !== null}
        {...((about || wrong) && { 'aria-describedby': `wrong-${id} about-${id}` })}
      />
      <Problem class="wrong" id={`wrong-${id}`} words={wrong} />
      {about && (
        <p id={`about-${id}`} class="about">
          {about}
        </p>
      )}
    </div>
  );
}

/** A button that asks once before it changes something, and says what that does. */
export function Act(props: ActProps & { readonly ask?: readonly Asked[]; readonly run: (form: FormData) => Promise<unknown> }) {
  const { name, of, title = of === undefined ? name : `${name} ${of}`, says, style, confirm = name, done, ask = [], run } = props;
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const [said, say] = useState<Said>(undefined);
  const close = (isDone = said !== undefined): void => {
    setOpen(false);
    setFailed(null);
    say(undefined);
    if (isDone) done?.();
  };
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      const answer = saidIn(await run(new FormData(event.currentTarget)));
      answer ? say(answer) : close(true);
    } catch (error) {
      setFailed(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  // show the error next to the field that it names
  const at = ask.find(({ id }) => id === /^Field (\w+)/.exec(failed ?? '')?.[1])?.id;
  const secret = typeof said === 'object' ? said.secret : null;
  return (
    <>
      <button type="button" class={style} {...(of !== undefined && { 'aria-label': `${name} ${of}` })} onClick={() => setOpen(true)}>
        {name}
      </button>
      {isOpen && (
        <Dialog title={secret === null ? title : 'Store it now'} onClose={() => close()} keeps={secret !== null}>
          {secret === null ? (
            <form onSubmit={(e) => void submit(e)}>
              {says && <p>{says}</p>}
              {ask.length > 0 && (
                <div class="fields">
                  {ask.map((asked) => (
                    <Field key={asked.id} {...asked} wrong={asked.id === at ? failed : null} />
                  ))}
                </div>
              )}
              {at === undefined && <Problem words={failed} />}
              {said && <p role="status">{String(said)}</p>}
              <div class="actions">
                {!said && (
                  <button type="submit" class={style === 'danger' ? 'danger' : 'primary'} disabled={isBusy}>
                    {confirm}
                  </button>
                )}
                <Button text={said ? 'Close' : 'Cancel'} onClick={() => close()} />
              </div>
            </form>
          ) : (
            <>
              <p>Copy it now: it is shown once and cannot be shown again.</p>
              <code class="secret" data-secret>
                {secret}
              </code>
              <div class="actions">
                <CopyButton text={() => secret} />
                <Button text="I have stored it" onClick={() => close()} />
              </div>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}
