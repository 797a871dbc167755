import { effect, type Signal, signal } from '@preact/signals';

/** Null where the browser keeps nothing: private windows. */
function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** A choice that the browser keeps; the first value is the usual one, which is not stored. */
function stored<T extends string>(key: string, values: readonly [T, ...T[]]): Signal<T> {
  const before = attempt(() => localStorage.getItem(key));
  const chosen = signal(values.find((value) => value === before) ?? values[0]);
  effect(() => {
    const { value } = chosen;
    attempt(() => (value === values[0] ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
  });
  return chosen;
}

export const THEMES = ['system', 'light', 'dark'] as const;
export const theme = stored('sightline.theme', THEMES);
/** Whether keys without Ctrl or Alt act (WCAG 2.1.4: they can be switched off). */
export const singleKeys = stored('sightline.single-keys', ['on', 'off']);

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
