import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Problem, wordsOf } from './load.tsx';

interface InputProps {
  readonly name: string;
  readonly value: Signal<string>;
  readonly about?: string;
  readonly type?: 'text' | 'number' | 'datetime-local';
  readonly required?: boolean;
}

/** A labelled input that writes into a signal. */
export function Input({ name, value, about, type = 'text', required = false }: InputProps) {
  const id = `input-${name.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <input
        id={id}
        // Preact's types ask for one kind of input at a time
        type={type as 'text'}
        required={required}
        autocomplete="off"
        value={value.value}
        {...(about && { 'aria-describedby': `${id}-about` })}
        onInput={(e) => {
          value.value = e.currentTarget.value;
        }}
      />
      {about && (
        <p id={`${id}-about`} class="about">
          {about}
        </p>
      )}
    </div>
  );
}

interface ActionDialogProps {
  readonly title: string;
  readonly action: string;
  readonly dangerous?: boolean;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

/** A dialog with a form that runs one action; the service's words are shown where it is refused. */
export function ActionDialog({ title, action, dangerous = false, run, onClose, children }: ActionDialogProps) {
  const failed = useSignal<string | null>(null);
  const busy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    failed.value = null;
    try {
      await run();
      onClose();
    } catch (error) {
      failed.value = wordsOf(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(e) => void submit(e)}>
        {children}
        {failed.value && <Problem words={failed.value} />}
        <div class="actions">
          <button type="submit" class={dangerous ? 'danger' : 'primary'} disabled={busy.value}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
