import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Button, Dialog } from './controls.tsx';
import { Icon, type IconName } from './icons.tsx';
import { Problem, useAsked, wordsOf } from './page.tsx';
import { ShownOnce } from './secret.tsx';

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
  /** Above the form, also where the other fields are folded. */
  readonly isFirst?: boolean;
}
/** What an act says when it is done: a text, or a secret that is shown once, with a shell line that uses it. The dialog stays open for it. */
export type Said = string | { readonly secret: string; readonly example?: string | undefined } | undefined;
const saidIn = (answer: unknown): Said =>
  typeof answer === 'string' || (typeof answer === 'object' && answer !== null && 'secret' in answer) ? (answer as Said) : undefined;
export interface ActProps {
  readonly name: string;
  /** What the button is about, for screen readers: a list has the same button in each row. */
  readonly of?: string;
  /** Button label; default: `${name} ${of}`. */
  readonly title?: string;
  readonly says?: ComponentChildren;
  readonly icon?: IconName;
  readonly style?: 'primary' | 'danger' | 'quiet' | undefined;
  /** Words of the button that confirms. Default: `name`. */
  readonly confirm?: string;
  /** Beside these words, after a line: what it costs. */
  readonly price?: string | null;
  /** The button that opens the dialog says it, too. */
  readonly isPriced?: boolean;
  /** Name by which an address asks for it. */
  readonly askedAs?: string | undefined;
  readonly done?: () => unknown;
}
/** What a larger form brings. */
export interface FormOfAct {
  /** Above the fields of `ask`, below those that are first. */
  readonly form?: ComponentChildren;
  /** The fields of `ask` stand in a fold of this name. */
  readonly fold?: string;
  readonly isUnfolded?: boolean;
  /** It begins anew. */
  readonly opens?: () => void;
  readonly typed?: (form: FormData) => void;
  /** Escape and Close ask first if something was typed; Ctrl Enter confirms. */
  readonly isGuarded?: boolean;
  /** Element that describes the dialog. */
  readonly describedBy?: string;
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
export function Act(props: ActProps & FormOfAct & { readonly ask?: readonly Asked[]; readonly run: (form: FormData) => Promise<unknown> }) {
  const {
    name,
    icon,
    of,
    title = of === undefined ? name : `${name} ${of}`,
    says,
    style,
    confirm = name,
    price,
    isPriced = false,
    done,
    ask = [],
    run,
  } = props;
  const cost = isPriced ? price : null;
  const label = of === undefined ? undefined : [name, cost, of].filter(Boolean).join(' ');
  const { form, fold, isUnfolded = false, opens, typed, isGuarded = false, describedBy } = props;
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const [said, say] = useState<Said>(undefined);
  const isChanged = useRef(false);
  const [asksFirst, askFirst] = useState(false);
  const open = (): void => {
    isChanged.current = false;
    opens?.();
    setOpen(true);
  };
  useAsked(props.askedAs, open);
  const close = (isDone = said !== undefined): void => {
    setOpen(false);
    askFirst(false);
    setFailed(null);
    say(undefined);
    if (isDone) done?.();
  };
  const leave = (): void => (isGuarded && isChanged.current && said === undefined ? askFirst(true) : close());
  const change = (event: Event & { currentTarget: HTMLFormElement }): void => {
    isChanged.current = true;
    typed?.(new FormData(event.currentTarget));
  };
  const press = (event: KeyboardEvent & { currentTarget: HTMLFormElement }): void => {
    if (!isGuarded) return;
    if (event.key === 'Escape' && isChanged.current) {
      // browsers close a dialog on the second Escape, whatever the first one met
      event.preventDefault();
      leave();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
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
  const faulty = ask.find(({ id }) => id === /^Field (?:\w+\/)*(\w+)/.exec(failed ?? '')?.[1])?.id;
  const secret = typeof said === 'object' ? said.secret : null;
  const example = typeof said === 'object' ? said.example : undefined;
  const fieldsOf = (some: readonly Asked[]) =>
    some.length > 0 && (
      <div class="fields">
        {some.map((asked) => (
          <Field key={asked.id} {...asked} wrong={asked.id === faulty ? failed : null} />
        ))}
      </div>
    );
  const folded = ask.filter(({ isFirst }) => !isFirst);
  return (
    <>
      <button type="button" class={style} aria-label={label} onClick={open}>
        {icon && <Icon name={icon} />}
        <span>{name}</span>
        {cost && <span class="price"> {cost}</span>}
      </button>
      {isOpen && (
        <Dialog title={secret === null ? title : 'Store it now'} onClose={leave} keeps={secret !== null} describedBy={describedBy}>
          {secret === null ? (
            <form onSubmit={(e) => void submit(e)} onInput={change} onKeyDown={press}>
              {says && <p>{says}</p>}
              {fieldsOf(ask.filter(({ isFirst }) => isFirst))}
              {form}
              {fold === undefined ? (
                fieldsOf(folded)
              ) : (
                <details open={isUnfolded || folded.some(({ id }) => id === faulty)}>
                  <summary>{fold}</summary>
                  {fieldsOf(folded)}
                </details>
              )}
              {faulty === undefined && <Problem words={failed} />}
              {said && <p role="status">{String(said)}</p>}
              <div class="actions ends">
                <Button class="quiet" text={said ? 'Close' : 'Cancel'} onClick={() => close()} />
                {!said && (
                  <button type="submit" class={style === 'danger' ? 'danger' : 'primary'} disabled={isBusy}>
                    {confirm}
                    {price && <span class="price"> {price}</span>}
                  </button>
                )}
              </div>
              {asksFirst && (
                <p class="note warn" role="alert">
                  <span class="grow">What you typed is not saved.</span>
                  <Button text="Leave it" onClick={() => close()} />
                  <Button text="Go on" onClick={() => askFirst(false)} />
                </p>
              )}
            </form>
          ) : (
            <ShownOnce secret={secret} example={example} close={close} />
          )}
        </Dialog>
      )}
    </>
  );
}
