import { useSignal } from '@preact/signals';
import { Icon } from './icons.tsx';

/** Copies a text; `small`: the icon alone. Where the browser has no clipboard (plain http off loopback) the button says so. */
export function CopyButton({ text, children = 'Copy', small = false }: { text: () => string; children?: string; small?: boolean }) {
  const said = useSignal<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      said.value = 'Copied';
    } catch {
      said.value = 'The browser does not allow it';
    }
  };
  return (
    <button type="button" class={small ? 'quiet icon' : 'quiet'} onClick={() => void copy()} onBlur={() => (said.value = null)}>
      <Icon name={said.value === 'Copied' ? 'check' : 'copy'} />
      <span aria-live="polite" class={small && said.value === null ? 'visually-hidden' : undefined}>
        {said.value ?? children}
      </span>
    </button>
  );
}
