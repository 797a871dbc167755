import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Icon } from './icons.tsx';

type InputProps = JSX.IntrinsicElements['input'];
type SecretInputProps = Pick<InputProps, 'id' | 'name' | 'ref' | 'value' | 'placeholder' | 'onInput' | 'aria-describedby'> & {
  /** What the eye shows, for screen readers. */
  readonly of: string;
  /** It is no secret, and always shown. */
  readonly isPlain?: boolean;
};

/** A field for a key. Its eye shows what was typed while it is pressed; the browser neither fills it in nor corrects it. */
export function SecretInput({ of, isPlain = false, ...props }: SecretInputProps) {
  const isShown = useSignal(false);
  const hide = (): void => {
    isShown.value = false;
  };
  return (
    <span class="typed">
      <input
        {...props}
        // Preact's types ask for one kind of input at a time
        type={(isPlain || isShown.value ? 'text' : 'password') as 'password'}
        // browsers fill a password in where this is "off"
        autocomplete={isPlain ? 'off' : 'new-password'}
        spellcheck={false}
      />
      {!isPlain && (
        <button
          type="button"
          class="quiet icon"
          aria-pressed={isShown.value}
          onPointerDown={({ button, pointerId, currentTarget }) => {
            if (button !== 0) return;
            currentTarget.setPointerCapture(pointerId);
            isShown.value = true;
          }}
          onLostPointerCapture={hide}
          onKeyDown={({ key }) => {
            if (key === ' ' || key === 'Enter') isShown.value = true;
          }}
          onKeyUp={hide}
          onBlur={hide}
          // a long press on a phone
          onContextMenu={(event) => event.preventDefault()}
        >
          <Icon name="eye" />
          <span class="visually-hidden">Show {of} while pressed</span>
        </button>
      )}
    </span>
  );
}
