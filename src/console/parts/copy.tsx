import { useSignal } from '@preact/signals';

/** Copies a text. Where the browser has no clipboard (plain http off loopback) the button says so. */
export function CopyButton({ text, children = 'Copy' }: { text: () => string; children?: string }) {
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
    <button type="button" class="quiet" onClick={() => void copy()} onBlur={() => (said.value = null)}>
      <span aria-live="polite">{said.value ?? children}</span>
    </button>
  );
}
