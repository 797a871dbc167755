import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { captureFilesIn, isOfRequest } from '../captures/capture-files.ts';
import { createCaptures } from '../captures/captures.ts';
import { capturesIn } from '../captures/read-captures.ts';
import type { AdminActions } from '../contract/admin/actions.ts';
import type { SourceCheck } from '../contract/admin/schemas.ts';
import { connectAdmin } from '../gateway/admin/client.ts';
import { after, realClock } from '../runtime/clock.ts';
import { unreadFile } from '../runtime/unread-file.ts';
import { createUuid7 } from '../runtime/uuid.ts';
import { OperatorError, readSettings, type Settings } from '../settings.ts';
import { loadSources } from '../sources/relay/connector.ts';
import { type Canary, parseCanaries } from '../watches/canary-file.ts';
import { canaryFileOf, knownFacts, planChecks } from '../watches/source-checks.ts';
import { prepareCase, writeCase } from './captures-case.ts';
import { createSourceChecks } from './doctor-checks.ts';
import { capturesFolder } from './open-captures.ts';
import { composeLookups } from './service.ts';
import { durationText, forTerminal, isConfirmed, plural, printResult, sayFrom, tableWith } from './terminal.ts';

interface DoctorOptions {
  readonly source?: string;
  readonly facts?: string;
  readonly canaries?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}
/** A check, with the folder of its case where one was made. */
interface Checked extends SourceCheck {
  readonly case: string | null;
}

const CAPTURED_WITHIN_MS = 3_000;
const LOOK_MS = 100;

async function factsOf(file: string | undefined): Promise<readonly Canary[]> {
  if (file === undefined) return knownFacts();
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new OperatorError(`--facts: ${unreadFile(file, error)}.`);
  });
  return parseCanaries(text, '--facts');
}

interface Checks {
  readonly check: AdminActions['checkSources'];
  close(): Promise<void>;
}
/** By the server that holds the data folder, which knows pace and caps; else by this process, with the same caps. */
async function openChecks(settings: Settings, facts: readonly Canary[] | null): Promise<Checks> {
  const server = settings.DATABASE_URL || facts ? null : await connectAdmin(settings.SIGHTLINE_DATA_DIR);
  if (server) return { check: server.checkSources, close: async () => {} };
  const log = sayFrom(settings.SIGHTLINE_LOG_LEVEL);
  const recorder =
    settings.SIGHTLINE_CAPTURE === 'off'
      ? undefined
      : createCaptures({
          ...{ settings, clock: realClock, random: Math.random, newId: createUuid7(realClock.now, randomBytes) },
          ...{
            folder: capturesFolder(settings),
            log: (level, message, more) => sayFrom('warn')(level === 'info' ? 'info' : 'warn', message, more),
          },
        });
  const lookups = await composeLookups({ ...settings, REDIS_URL: null }, log, { recorder });
  const check = createSourceChecks(settings, async () => {}, lookups, facts ?? undefined);
  return {
    async check(input) {
      const rows = await check(input);
      await recorder?.flush();
      return rows;
    },
    async close() {
      await lookups.close();
      await recorder?.close(CAPTURED_WITHIN_MS);
    },
  };
}

/** Makes a case of what a source answered in a form that is not known. Null: nothing was captured, or none can be made. */
async function caseOf({ requestId, source }: SourceCheck, settings: Settings): Promise<string | null> {
  const folder = capturesFolder(settings);
  if (requestId === null || !existsSync(folder)) return null;
  const captured = () => captureFilesIn(folder).filter((file) => isOfRequest(file, requestId));
  for (let waitedMs = 0; captured().length === 0; waitedMs += LOOK_MS) {
    if (waitedMs >= CAPTURED_WITHIN_MS) return null;
    await new Promise<void>((done) => after(realClock, LOOK_MS, done));
  }
  for (const found of capturesIn(
    folder,
    () => {},
    (file) => isOfRequest(file, requestId),
  )) {
    const prepared = await prepareCase(found, await loadSources(settings, process.env));
    if (!prepared.ok) continue;
    const home = join(resolve(settings.SIGHTLINE_DATA_DIR), 'cases');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const place = join(home, `${source.replace(/\W+/g, '-')}-${found.facts.capture}`);
    writeCase(place, prepared);
    return place;
  }
  return null;
}

const moneyText = (rows: readonly SourceCheck[]): string => {
  const paid = rows.filter(({ usd }) => usd > 0);
  return `${paid.map(({ source, usd }) => `${source} at most $${usd}`).join(', ')}; SIGHTLINE_DAILY_CAPS apply`;
};

/** `sightline doctor`: asks every configured source once. Exit code 1 where one does not work. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const settings = readSettings(process.env);
  const facts = options.facts === undefined ? null : await factsOf(options.facts);
  if (options.canaries) {
    const planned = planChecks(await loadSources(settings, process.env), settings, facts ?? knownFacts());
    process.stdout.write(canaryFileOf(planned, options.yes === true));
    return;
  }
  const { check, close } = await openChecks(settings, facts);
  const say = (text: string): void => void (options.json ? 0 : process.stderr.write(`${forTerminal(text)}\n`));
  const rows: Checked[] = [];
  try {
    const of = options.source === undefined ? {} : { source: options.source };
    const plan = await check({ ...of, plan: true });
    const costs = plan.filter(({ usd }) => usd > 0);
    say(`${plural(plan.length, 'source')}, one lookup each, one after the other.`);
    let paid = options.yes === true;
    if (costs.length > 0) {
      say(`Paid: ${moneyText(costs)}.`);
      if (!paid && !options.json && process.stdin.isTTY === true) paid = await isConfirmed('Ask the paid sources, too? [y/N] ');
    }
    for (const source of new Set(plan.map((row) => row.source)))
      for (const row of await check({ source, paid })) {
        const made = row.state === 'changed' ? await caseOf(row, settings) : null;
        rows.push({ ...row, case: made });
        say(`${row.source}: ${row.state.replace('_', ' ')}${row.durationMs === null ? '' : ` after ${durationText(row.durationMs)}`}`);
      }
  } finally {
    await close();
  }
  if (rows.some(({ state }) => state !== 'works' && state !== 'not_asked')) process.exitCode = 1;
  printResult(options.json, rows, () => `\n${report(rows)}`);
}

const checksTable = tableWith<Checked>({
  SOURCE: 'source',
  OPERATION: 'operation',
  STATE: ({ state }) => state.replace('_', ' '),
  WHY: ({ why }) => why ?? '',
});
function report(rows: readonly Checked[]): string {
  if (rows.length === 0) return "No source is configured: 'sightline sources' says what each lacks.";
  const sources = (of: readonly Checked[]): string => [...new Set(of.map(({ source }) => source))].join(', ');
  const notes = [
    ...[...Map.groupBy(rows, ({ advice }) => advice)].flatMap(([advice, of]) => (advice === null ? [] : [`${sources(of)}: ${advice}`])),
    ...rows.flatMap(({ source, case: made }) =>
      made === null ? [] : [`${source}: the case is in ${made}. Read it before you hand it on.`],
    ),
  ];
  return [checksTable(rows), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n');
}
