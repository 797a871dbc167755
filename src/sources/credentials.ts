import type { SettingName, Settings } from '../settings.ts';

/** Settings that the operator may enter in the console as well as in the environment: they are in force without a restart. */
const CREDENTIALS = [
  'DATAFORSEO_LOGIN',
  'DATAFORSEO_PASSWORD',
  'SERPAPI_KEY',
  'SEARXNG_URL',
  'SIMILARWEB_API_KEY',
  'X_BEARER_TOKEN',
  'REDDIT_CLIENT_ID',
  'REDDIT_CLIENT_SECRET',
] as const satisfies readonly SettingName[];
export type CredentialSetting = (typeof CREDENTIALS)[number];

export const isCredentialSetting = (name: string): name is CredentialSetting => (CREDENTIALS as readonly string[]).includes(name);

/** Values that were entered, by setting or by variable of a recipe; they change while the process runs. */
export type Entered = ReadonlyMap<string, string>;

/** What the environment states, of settings with entered credentials. */
const environmentOf = new WeakMap<Settings, Settings>();

/** Settings whose credentials are read anew each time. A variable of the environment wins over what was entered. */
export function withEntered(settings: Settings, entered: Entered): Settings {
  const live = { ...settings };
  for (const name of CREDENTIALS)
    Object.defineProperty(live, name, { enumerable: true, get: () => settings[name] ?? entered.get(name) ?? null });
  environmentOf.set(live, settings);
  return live;
}

/** Whether the environment sets a credential: it wins, and nobody changes it here. */
export const isOfEnvironment = (name: string, settings: Settings): boolean =>
  isCredentialSetting(name) ? (environmentOf.get(settings) ?? settings)[name] !== null : Boolean(process.env[name]?.trim());

/** The value of a variable of a recipe, by the same rule. */
export const keyOfEntered =
  (environment: Readonly<Record<string, string | undefined>>, entered: Entered) =>
  (variable: string): string | undefined =>
    environment[variable]?.trim() || entered.get(variable);

interface Needs {
  readonly needs: readonly SettingName[];
  readonly keys?: readonly { readonly variable: string; readonly value: () => string | undefined }[] | undefined;
}
/** The credentials that a source takes, by setting or by variable of its recipe. */
export const credentialsNeeded = ({ needs, keys = [] }: Needs): readonly string[] => [
  ...needs.filter(isCredentialSetting),
  ...keys.map(({ variable }) => variable),
];

/** The values of a source's credentials as one text: what was learnt with others does not hold for these. */
export const credentialsOf = ({ needs, keys = [] }: Needs, settings: Settings): string =>
  JSON.stringify([...needs.filter(isCredentialSetting).map((name) => settings[name]), ...keys.map(({ value }) => value() ?? null)]);
