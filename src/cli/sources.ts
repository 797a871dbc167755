import type { CanaryResult, SourceState } from '../contract/admin/schemas.ts';
import { rankOfFree, SOURCE_WORDS, type SourceWord } from '../contract/admin/source-words.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { HOUR_MS, realClock } from '../runtime/clock.ts';
import { readSettings, type Settings } from '../settings.ts';
import { announcedSunset, missingSettings, sunsetText } from '../sources/availability.ts';
import { credentialsNeeded } from '../sources/credentials.ts';
import { offerOf, providerOf } from '../sources/recipes/offer.ts';
import { sourceIdOf } from '../sources/recipes/recipe-source.ts';
import { describeRecipe, RECIPES } from '../sources/recipes/recipes.ts';
import { loadSources } from '../sources/relay/connector.ts';
import type { Source } from '../sources/source.ts';
import { sourceWords } from '../sources/source-word.ts';
import { createDriftSums } from '../store/drift-sums.ts';
import { canaryResults } from '../watches/canaries.ts';
import { forTerminal, plural, printResult, tableWith, terminalWidth, wrapped } from './terminal.ts';

/** Announced ends of interfaces, and terms that forbid what a source does: a line each, with the setting that switches the source off. */
export function notesOn(sources: readonly Source[], nowMs: number): string {
  const notes = sources.flatMap((source) => {
    const sunset = announcedSunset(source, nowMs);
    return [
      ...(sunset ? [`${source.id} ${sunsetText(sunset, nowMs)}`] : []),
      ...(source.terms === undefined ? [] : [`${source.id}: ${source.terms} SIGHTLINE_SOURCES_OFF=${source.id} switches it off.`]),
    ];
  });
  return notes.length ? `\n\n${notes.join('\n')}` : '';
}

const SEE = 'see the provider';
/** Sources that a key alone switches on: what they cost, and the variables. What is free stands first. */
function offers(sources: readonly Source[], settings: Settings): string {
  const lines = sources
    .flatMap((source) => {
      const offer = offerOf(source.id);
      const lacking = missingSettings(source, settings);
      const keys = credentialsNeeded(source);
      return offer && lacking.length > 0 && lacking.every((name) => keys.includes(name)) ? [{ source, offer, lacking }] : [];
    })
    .sort((a, b) => rankOfFree(a.offer.free) - rankOfFree(b.offer.free))
    .map(({ source: { id, operations }, offer: { free, price, copied }, lacking }) => {
      const copies = copied.length ? ` Second-hand, read in a copy by others: ${copied.join(', ')}.` : '';
      const set = lacking.map((name) => `${name}=…`).join(' ');
      return `${set}  ${operations.join(', ')} by ${providerOf(id)}. Free: ${free ?? SEE}. Price: ${price ?? SEE}.${copies}`;
    });
  return lines.length ? `\n\nA key alone switches on:\n${lines.join('\n')}` : '';
}

/** Who learns what by signed requests; empty where requests are not signed. */
const signingNote = ({ SIGHTLINE_SIGN_REQUESTS: signs, SIGHTLINE_PUBLIC_URL: publicUrl }: Settings): string =>
  signs && publicUrl !== null
    ? `\n\nRequests of page sources are signed: every site that is asked sees that they come from ${new URL(publicUrl).origin}, also after a change of the address, and whoever opens its key directory sees that this service sends such requests. No account is named to a site. SIGHTLINE_SIGN_REQUESTS=0 ends it.`
    : '';

const recipeOf = (id: string) => {
  const recipe = RECIPES.find((one) => sourceIdOf(one) === id);
  return recipe ? describeRecipe(recipe) : null;
};

/** The word of a state, and the settings without which it stays so. */
const stateText = (word: SourceWord = 'off', lacks: readonly string[] = []): string =>
  [SOURCE_WORDS[word], lacks.join(', ')].filter(Boolean).join(': ');

/** What `serve` prints after its start: each source in use, or with its missing settings. */
export async function sourceTable(settings: Settings, nowMs: number): Promise<string> {
  const sources = await loadSources(settings, process.env);
  const lacks = (source: Source): readonly string[] => missingSettings(source, settings);
  const words = sourceWords(sources, settings, nowMs);
  const tableOf = tableWith<Source>(
    {
      SOURCE: 'id',
      OPERATIONS: ({ operations }) => operations.join(' '),
      STATE: (source) => stateText(words.get(source), lacks(source)),
    },
    { wrap: true },
  );
  const hasNotes =
    notesOn(
      sources.filter((source) => !lacks(source).length),
      nowMs,
    ) !== '';
  return `${tableOf(sources)}${hasNotes ? '\n\nTerms and announced ends of these sources: sightline sources' : ''}${signingNote(settings)}`;
}

interface KnownFacts {
  /** Of a server alone. */
  readonly states: ReadonlyMap<string, SourceState>;
  readonly drift: ReadonlyMap<string, readonly string[]>;
  readonly canaries: readonly CanaryResult[];
}
const NOTHING_KNOWN: KnownFacts = { states: new Map(), drift: new Map(), canaries: [] };

/** What the server that holds the data folder says of its sources and canaries; nothing where no server runs on it. */
async function factsOfServer({ SIGHTLINE_DATA_DIR: folder }: Settings): Promise<KnownFacts> {
  const server = await connectAdmin(folder);
  if (!server) return NOTHING_KNOWN;
  const { sources, canaries } = await server.listSources();
  const states = new Map(sources.map((state) => [state.name, state]));
  return { states, drift: new Map(sources.map(({ name, drifting }) => [name, drifting])), canaries };
}

/** Fields that drifted in this hour or the one before, by source, and the canaries: where processes share a store, there is no one server to ask. */
async function factsInStore(url: string, nowMs: number): Promise<KnownFacts> {
  try {
    const { openPostgres } = await import('../store/postgres/postgres.ts');
    const store = await openPostgres({ url, clock: realClock, log: () => {} });
    try {
      const recent = (await createDriftSums(store.db).drifted()).filter(({ hour }) => hour >= Math.floor(nowMs / HOUR_MS) - 1);
      const bySource = Map.groupBy(recent, ({ source }) => source);
      const drift = new Map([...bySource].map(([source, rows]) => [source, rows.map(({ field }) => field).sort()]));
      return { ...NOTHING_KNOWN, drift, canaries: await canaryResults(store, nowMs) };
    } finally {
      await store.close();
    }
  } catch (error) {
    process.stderr.write(`${forTerminal(`Which fields drift, and what canaries say, is not known: ${(error as Error).message}`)}\n`);
    return NOTHING_KNOWN;
  }
}

const driftText = (fields: readonly string[]): string => (fields.length > 0 ? `drifting: ${fields.join(', ')}` : '');

function healthText({ breaker, restingUntil, last24h: { attempts, successShare, medianMs }, spending, drifting }: SourceState): string {
  return [
    breaker !== 'closed' && `breaker ${breaker}`,
    driftText(drifting),
    restingUntil && `rests until ${restingUntil}`,
    successShare !== null &&
      `${Math.round(successShare * 100)} % of ${plural(attempts, 'attempt')} in 24 h, median ${Math.round(medianMs ?? 0)} ms`,
    spending &&
      `today ${spending.requestsToday} of ${plural(spending.maxRequestsPerDay, 'request')}, $${spending.usdToday} of $${spending.maxUsdPerDay}`,
  ]
    .filter(Boolean)
    .join('; ');
}

/** Below this width of a terminal the names of settings need the room. */
const WIDTH_FOR_ABOUT = 110;
const wrappedLines = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => wrapped(line, width))
    .join('\n');

/**
 * `sightline sources`: each source, its operations, and whether it is configured or which setting is missing; where a server runs on the
 * data folder, also its health there; with a shared store the fields that drift, the canaries, and the sources that only other processes have.
 */
export async function showSources({ json }: { json?: boolean }): Promise<void> {
  const settings = readSettings(process.env);
  const nowMs = realClock.now();
  const { DATABASE_URL: shared } = settings;
  const { states, drift, canaries } = await (shared ? factsInStore(shared, nowMs) : factsOfServer(settings));
  const sources = await loadSources(settings, process.env);
  const words = sourceWords(sources, settings, nowMs);
  // of two sources that share a name the server states the operations that are on
  const stateFor = ({ id, operations }: Source): SourceState | undefined => {
    const state = states.get(id);
    return operations.every((one) => state?.operations.includes(one)) ? state : undefined;
  };
  const own = sources.map((s) => ({
    source: s.id,
    operations: s.operations,
    word: stateFor(s)?.state ?? words.get(s),
    lacks: missingSettings(s, settings),
    about: s.about,
    sunset: announcedSunset(s, nowMs),
    terms: s.terms ?? null,
    recipe: recipeOf(s.id),
    state: stateFor(s),
    drifting: drift.get(s.id) ?? [],
    canaries: canaries.filter((c) => (c.source === null ? s.operations.some((id) => id === c.operation) : c.source === s.id)),
  }));
  // sources of other settings than those of this process
  const others = [...drift].filter(([id]) => !sources.some((s) => s.id === id));
  const rows = [
    ...own,
    ...others.map(([id, drifting]) => {
      const state = states.get(id);
      const { operations = [], lacking: lacks = [], about = 'of another process', sunset = null, terms = null } = state ?? {};
      return {
        source: id,
        operations,
        word: state?.state,
        lacks,
        about,
        sunset,
        terms,
        recipe: null,
        state,
        drifting,
        canaries: [],
      };
    }),
  ];
  const width = terminalWidth();
  const tableOf = tableWith<(typeof rows)[number]>(
    {
      SOURCE: 'source',
      OPERATIONS: ({ operations }) => operations.join(' '),
      STATE: ({ word, lacks }) => stateText(word, lacks),
      ...(width >= WIDTH_FOR_ABOUT && { ABOUT: 'about' }),
      ...(drift.size > 0 && { HEALTH: ({ state, drifting }) => (state ? healthText(state) : driftText(drifting)) }),
    },
    { width, wrap: true },
  );
  const notes = offers(sources, settings) + notesOn(sources, nowMs) + signingNote(settings);
  const results = canaries.length ? `\n\n${canaryTable(canaries)}` : '';
  printResult(json, rows, () => tableOf(rows) + wrappedLines(notes, width) + results);
}
const canaryTable = tableWith<CanaryResult>({
  CANARY: 'name',
  OPERATION: 'operation',
  SOURCE: 'source',
  AT: 'at',
  RESULT: ({ ok, why }) => (ok ? 'holds' : `fails: ${why}`),
});
