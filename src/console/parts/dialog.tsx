import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './controls.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** It holds what would be lost: only its own button closes it, neither Escape nor a close button. */
  readonly keeps?: boolean;
  readonly children: ComponentChildren;
}

/** A modal dialog, open as long as it is rendered; on a phone a sheet. Escape closes it; focus returns to where it was. */
export function Dialog({ title, onClose, keeps = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    if (!keeps) onClose();
  };
  return (
    // browsers close on a second Escape even where the first was prevented: closedby ends that
    <dialog ref={dialog} aria-label={title} {...(keeps && { closedby: 'none' })} onCancel={cancel}>
      <header>
        <h2>{title}</h2>
        {!keeps && <Button icon="close" class="quiet icon" aria-label="Close" onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}
