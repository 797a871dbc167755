import type { SettingName, Settings } from '../settings.ts';
import type { Source } from './source.ts';

/** The settings that a source still lacks: not set, empty, or switched off. */
export const missingSettings = (source: Source, settings: Settings): readonly SettingName[] =>
  source.needs.filter((name) => {
    const value: unknown = settings[name];
    return value === null || value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0);
  });
