import type { SettingName, Settings } from '../settings.ts';
import type { Source } from './source.ts';

const placeOf = (source: Source, settings: Settings): number => {
  const names: unknown = source.listed && settings[source.listed.setting];
  return Array.isArray(names) ? names.indexOf(source.listed?.as) : 0;
};

/** Settings that keep a source from being used: not set, empty, switched off, a list without it, or the list of those that are off. */
export const missingSettings = (source: Source, settings: Settings): readonly SettingName[] => [
  ...(settings.SIGHTLINE_SOURCES_OFF.includes(source.id) ? (['SIGHTLINE_SOURCES_OFF'] as const) : []),
  ...(source.listed && placeOf(source, settings) < 0 ? [source.listed.setting] : []),
  ...source.needs.filter((name) => {
    const value: unknown = settings[name];
    return value === null || value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0);
  }),
];

/** Sources in their default order; those named by an ordering setting take each other's places in its order. */
export function inOrder(sources: readonly Source[], settings: Settings): readonly Source[] {
  const listed = sources.filter((s) => s.listed).sort((a, b) => placeOf(a, settings) - placeOf(b, settings));
  return sources.map((s) => {
    const at = s.listed ? listed.findIndex((l) => l.listed?.setting === s.listed?.setting) : -1;
    return at < 0 ? s : (listed.splice(at, 1)[0] ?? s);
  });
}
