/** By a selection, for plain http off loopback, where the browser has no clipboard for scripts; false: it is not allowed. */
export function copyBySelection(beside: HTMLElement, text: string): boolean {
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true, className: 'visually-hidden' });
  // within a dialog, outside of which nothing can be selected
  beside.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  beside.focus();
  return isCopied;
}
