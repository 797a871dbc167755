import { hash, randomBytes } from 'node:crypto';
import type { OpenAccounts } from '../accounts/accounts.ts';
import { createSealer, serviceSecret } from '../accounts/oauth/sealer.ts';
import { createSourceCredentials, type StoredCredential } from '../accounts/source-credentials.ts';
import type { AdminActions } from '../contract/admin/actions.ts';
import type { SourceCredential } from '../contract/admin/source-credential-schemas.ts';
import { invalid, missing } from '../contract/errors.ts';
import { didYouMean } from '../contract/parameters/misspelt.ts';
import { good } from '../contract/parameters/parameter.ts';
import { createRequestIds } from '../gateway/http/request-context.ts';
import { createLocalEngine } from '../orchestrator/local-engine.ts';
import type { Clock } from '../runtime/clock.ts';
import { SETTINGS, type Settings } from '../settings.ts';
import { missingSettings } from '../sources/availability.ts';
import { credentialsNeeded, isCredentialSetting, isOfEnvironment, keyOfEntered, withEntered } from '../sources/credentials.ts';
import { recipeSource, sourceIdOf } from '../sources/recipes/recipe-source.ts';
import { RECIPES, type Recipe } from '../sources/recipes/recipes.ts';
import type { Ports, Source } from '../sources/source.ts';
import { usdOfLookup } from '../sources/source-budget.ts';
import type { Store, StoreLog } from '../store/store.ts';
import type { Canary } from '../watches/canary-file.ts';
import { checkSource, knownFacts, planChecks } from '../watches/source-checks.ts';

const MAX_CHARACTERS = 500;
const VERSION_CHARACTERS = 12;

export interface CredentialParts {
  /** As the environment states them. */
  readonly settings: Settings;
  readonly store: Pick<Store, 'db' | 'keyChanges'>;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Filled by `reload`: what `withEntered` reads. */
  readonly entered: Map<string, string>;
  /** Names what `entered` holds, without the values; null until it was read. The same in every process that has the same. */
  readonly loaded: { version: string | null };
}

/** Whether credentials can be stored for this process: without a store of its own it needs the secret that all processes share. */
export const keepsCredentials = ({ DATABASE_URL: shared, SIGHTLINE_SECRET: secret }: Settings): boolean =>
  shared === null || secret !== null;

/** Reads the credentials of the store into `entered`: now, and whenever another process changed them. */
export async function followCredentials({ settings, store, clock, log, entered, loaded }: CredentialParts) {
  const secret = serviceSecret(settings, randomBytes);
  const stored = createSourceCredentials(store, secret === null ? null : createSealer(secret, randomBytes), clock);
  const told = new Set<string>();
  async function reload(): Promise<ReadonlyMap<string, StoredCredential>> {
    const found = await stored.read();
    entered.clear();
    for (const [name, { value }] of found)
      if (value !== null) entered.set(name, value);
      else if (!told.has(name)) {
        told.add(name);
        log('warn', 'a credential of a source was sealed with another SIGHTLINE_SECRET: enter it again', { name });
      }
    const opened = [...found].filter(([, { value }]) => value !== null).map(([name, { setAt }]) => `${name} ${setAt}`);
    loaded.version = hash('sha256', opened.toSorted().join(), 'hex').slice(0, VERSION_CHARACTERS);
    return found;
  }
  await reload();
  store.keyChanges?.listen(
    () => void reload().catch((error: Error) => log('warn', 'credentials of sources cannot be read', { reason: error.message })),
  );
  return { settings, clock, entered, stored, reload };
}

const recipeOf = ({ id }: Source): Recipe | undefined => RECIPES.find((recipe) => sourceIdOf(recipe) === id);
/** The source as it would be with these values: one of a recipe reads its own. */
function triedWith(source: Source, given: ReadonlyMap<string, string>): Source {
  const recipe = recipeOf(source);
  return recipe ? recipeSource(recipe, keyOfEntered(process.env, given)) : source;
}
function aboutOf(source: Source, name: string): Pick<SourceCredential, 'about' | 'secret'> {
  if (isCredentialSetting(name)) return { about: SETTINGS[name].about, secret: SETTINGS[name].secret };
  const variable = recipeOf(source)?.variables.find((each) => each.name === name);
  return { about: `${variable?.about ?? 'Key'}.`, secret: true };
}

type Followed = Awaited<ReturnType<typeof followCredentials>>;
interface Trials {
  readonly sources: readonly Source[];
  readonly ports: Ports;
  readonly audit: OpenAccounts['audit'];
  /** Default: the table of the repository. */
  readonly facts?: readonly Canary[] | undefined;
}

/** The admin actions on credentials of sources. */
export function createCredentialActions(
  { settings, clock, entered, stored, reload }: Followed,
  { sources, ports, facts, audit }: Trials,
): Pick<AdminActions, 'listCredentials' | 'enterCredentials' | 'removeCredentials'> {
  const newId = createRequestIds(Math.random, clock.now);
  const isLocked = (name: string): boolean => isOfEnvironment(name, settings);
  const withCredentials = sources.filter((source) => credentialsNeeded(source).length > 0);
  const live = withEntered(settings, entered);

  function sourceOf(id: string): Source {
    const found = withCredentials.find((source) => source.id === id);
    if (found) return found;
    const ids = [...new Set(withCredentials.map((source) => source.id))];
    throw missing(`There is no source ${id.slice(0, 100)} that takes credentials${didYouMean(id, ids)}: choose from ${ids.join(', ')}.`);
  }
  /** The values to be stored: those that are given, and for a field left empty what is in force; none of the environment. */
  function readValues(source: Source, values: Readonly<Record<string, string>>): Map<string, string> {
    const names = credentialsNeeded(source);
    const unknown = Object.keys(values).find((name) => !names.some((each) => each === name));
    if (unknown !== undefined)
      throw invalid(
        `values has ${JSON.stringify(unknown.slice(0, 100))}, which is no credential of ${source.id}${didYouMean(unknown, names)}: it takes ${names.join(', ')}.`,
      );
    const read = new Map<string, string>();
    for (const name of names) {
      const given = values[name]?.trim() ?? '';
      if (isLocked(name)) {
        if (given !== '') throw invalid(`${name} is set in the environment, which wins: change it there.`);
        continue;
      }
      const text = given === '' ? (entered.get(name) ?? '') : given;
      if (text === '') throw invalid(`values.${name} is missing.`);
      if (text.length > MAX_CHARACTERS || /[\p{Cc}\s]/u.test(text))
        throw invalid(`values.${name} must be one word of at most ${MAX_CHARACTERS} characters.`);
      const value = isCredentialSetting(name) ? SETTINGS[name].kind.read(text) : good(text);
      if (!value.ok) throw invalid(`values.${name} ${value.why}.`);
      read.set(name, String(value.value));
    }
    return read;
  }

  return {
    async listCredentials() {
      const found = await reload();
      return withCredentials.flatMap((source): SourceCredential[] =>
        credentialsNeeded(source).map((name) => {
          const { value = null, hint = null, setAt = null } = found.get(name) ?? {};
          const isSet = isLocked(name);
          const state = isSet ? 'environment' : setAt === null ? 'none' : value === null ? 'sealed_otherwise' : 'entered';
          const cap = source.dailyCap?.(settings);
          return {
            name,
            source: source.id,
            ...aboutOf(source, name),
            state,
            hint: isSet ? null : hint,
            setAt,
            usd: cap ? usdOfLookup(cap) : 0,
          };
        }),
      );
    },
    /** `signal`: whoever asked has stopped the trial, or is gone. */
    async enterCredentials({ source: id, values }, signal?: AbortSignal) {
      const source = sourceOf(id);
      if (!stored.canKeep && !credentialsNeeded(source).every(isLocked))
        throw invalid(
          'Credentials are sealed with SIGHTLINE_SECRET, which is not set: set it, the same on every gateway (openssl rand -base64 32 makes one).',
        );
      await reload();
      const read = readValues(source, values);
      const given = new Map([...entered, ...read]);
      const trial = withEntered(settings, given);
      const [planned] = planChecks([triedWith(source, given)], trial, facts ?? knownFacts());
      if (!planned)
        throw invalid(
          `${source.id} cannot be tried: it lacks ${missingSettings(source, trial).join(', ')} as well, in the environment of the service.`,
        );
      if (read.size === 0) await audit('source.check', source.id, { paid: planned.isPaid });
      const engine = createLocalEngine([planned.source], { ...ports, settings: trial });
      const check = await checkSource({ settings: trial, engine, clock, newRequestId: () => `trial-${newId()}`, signal }, planned);
      if (read.size === 0) return { ...check, stored: false };
      const isStopped = signal?.aborted === true;
      const works = check.state === 'works' && !isStopped;
      const state = isStopped ? 'stopped' : check.state;
      if (works) await stored.keep(source.id, read);
      else await audit('source.credentials.refused', source.id, { names: [...read.keys()], state });
      await reload();
      return { ...check, stored: works };
    },
    async removeCredentials({ source: id }) {
      const source = sourceOf(id);
      const removed = await stored.remove(source.id, credentialsNeeded(source));
      await reload();
      return { removed, lacking: [...missingSettings(source, live)] };
    },
  };
}
