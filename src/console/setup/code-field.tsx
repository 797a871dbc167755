import type { JSX } from 'preact';

const PLACES = 8;
const GROUP = 4;
const NOT_IN_CODES = /[^A-HJ-NP-Z2-9]/g;

/** As it is printed: two groups of four. */
export function grouped(text: string): string {
  const plain = text.toUpperCase().replace(NOT_IN_CODES, '').slice(0, PLACES);
  return plain.length > GROUP ? `${plain.slice(0, GROUP)}-${plain.slice(GROUP)}` : plain;
}

/** One field, drawn as a place for each character. What is typed or pasted is written as it is printed; the caret stays where it was. */
export function CodeField({ of, set }: { of: JSX.IntrinsicElements['input'] & { value: string }; set: (code: string) => void }) {
  const input = (event: Event & { currentTarget: HTMLInputElement }): void => {
    const { currentTarget: field } = event;
    const caret = grouped(field.value.slice(0, field.selectionStart ?? undefined)).length;
    const code = grouped(field.value);
    field.value = code;
    field.setSelectionRange(caret, caret);
    set(code);
  };
  const value = grouped(of.value);
  return (
    <div class="code">
      <div class="places" aria-hidden="true">
        {Array.from({ length: PLACES + 1 }, (_, index) => (
          <span key={index} class={index !== GROUP ? undefined : value.length <= GROUP ? 'dash due' : 'dash'} />
        ))}
      </div>
      <input {...of} value={value} autocomplete="off" autocapitalize="characters" spellcheck={false} onInput={input} />
    </div>
  );
}
