import { existsSync, statSync } from 'node:fs';
import type { StoredCapture } from '../captures/capture.ts';
import { ifThere } from '../captures/capture-files.ts';
import { type FoundCapture, homeOf, readCapture, sharedIn } from '../captures/read-captures.ts';
import { createCheck } from '../orchestrator/engine.ts';
import { type Replay, type Replayed, type ReplayParts, replayCapture } from '../orchestrator/replay.ts';
import { OperatorError, readSettings, type Settings } from '../settings.ts';
import { loadSources } from '../sources/relay/connector.ts';
import { capturesFolder } from './open-captures.ts';
import { type CaptureFilter, selectCaptures, warnOfFault } from './select-captures.ts';
import { briefJson, plural, printResult, table } from './terminal.ts';

type Counts = Record<string, Record<string, number>>;

export type ReplaySummary = ReturnType<typeof emptySummary>;
export const emptySummary = () => ({
  captures: 0,
  /** Neither outcome nor field differs. */
  same: 0,
  different: 0,
  skipped: 0,
  /** A `found` that became something else, or that could not be replayed. */
  lost: 0,
  /** Became `found`, or lost an unread field. */
  healed: 0,
  fields: {} as Counts,
  /** Captures whose outcome differs, by source and `before → after`. */
  outcomes: {} as Counts,
  reasons: {} as Counts,
});

export const replayParts = async (settings: Settings): Promise<ReplayParts> => ({
  sources: await loadSources(settings, process.env),
  settings,
  check: createCheck(),
});

/** Replays captures in order. A damaged capture is skipped; one whose file was deleted since it was listed is left out. */
export async function* replayAll(parts: ReplayParts, found: Iterable<FoundCapture>): AsyncGenerator<Replay> {
  const documents = new Map<string, readonly StoredCapture[]>();
  for (const one of found) {
    const home = homeOf(one.file);
    const shared = documents.get(home) ?? sharedIn(home, warnOfFault).flatMap((document) => ifThere(() => readCapture(document)) ?? []);
    documents.set(home, shared);
    const capture = wholeOrWhy(one);
    if (typeof capture === 'string') yield { capture: { facts: one.facts, exchanges: [] }, skipped: capture };
    else if (capture) yield await replayCapture(parts, capture, shared);
  }
}
function wholeOrWhy(found: FoundCapture): StoredCapture | string | null {
  try {
    return ifThere(() => readCapture(found));
  } catch (error) {
    return (error as Error).message;
  }
}

const count = (counts: Counts, source: string, name: string): void => {
  counts[source] ??= {};
  counts[source][name] = (counts[source][name] ?? 0) + 1;
};
export const isHealed = ({ before, after }: Replayed): boolean =>
  after.tag === 'found' && (before.tag !== 'found' || (after.unread?.length ?? 0) < (before.unread?.length ?? 0));

export function addTo(summary: ReplaySummary, replay: Replay): void {
  const { source, outcome } = replay.capture.facts;
  summary.captures++;
  if ('skipped' in replay) {
    summary.skipped++;
    if (outcome?.tag === 'found') summary.lost++;
    count(summary.reasons, source, replay.skipped);
    return;
  }
  const { before, after, differences } = replay;
  if (before.tag === after.tag && differences.length === 0) {
    summary.same++;
    return;
  }
  summary.different++;
  if (before.tag === 'found' && after.tag !== 'found') summary.lost++;
  if (isHealed(replay)) summary.healed++;
  if (before.tag !== after.tag) count(summary.outcomes, source, `${before.tag} → ${after.tag}`);
  for (const field of new Set(differences.map((d) => d.field))) count(summary.fields, source, field);
}

export const MAX_VALUE = 200;
/** The value itself, or the begin of its JSON where that is long. */
const brief = (value: unknown): unknown => {
  const text = briefJson(value, MAX_VALUE);
  return text.endsWith('…') ? text : (value ?? null);
};

const NAME_WARC = "name WARC files that 'sightline captures export' wrote.";

/** `sightline replay [files…]`: exit code 1 where a `found` becomes something else. */
export async function replay(files: readonly string[], options: CaptureFilter & { json?: boolean }): Promise<void> {
  for (const file of files) {
    const is = !existsSync(file) ? 'does not exist' : statSync(file).isDirectory() ? 'is a folder' : null;
    if (is) throw new OperatorError(`${file} ${is}: ${NAME_WARC}`);
  }
  const settings = readSettings(process.env);
  const summary = emptySummary();
  const different: object[] = [];
  for await (const replayed of replayAll(await replayParts(settings), selectCaptures(capturesFolder(settings), files, options))) {
    const { same } = summary;
    addTo(summary, replayed);
    if (!options.json || summary.same > same) continue;
    const { capture, source, operation, input, at } = replayed.capture.facts;
    const facts = { capture, source, operation, input, at };
    if ('skipped' in replayed) different.push({ ...facts, skipped: replayed.skipped });
    else {
      const { before, after, differences } = replayed;
      const fields = differences.map((d) => ({
        field: d.field,
        ...(d.key !== null && { key: d.key }),
        before: brief(d.before),
        after: brief(d.after),
      }));
      different.push({ ...facts, before: before.tag, after: after.tag, ...(after.what && { what: after.what }), fields });
    }
  }
  const { json: _, ...filter } = options;
  if (files.length > 0 && summary.captures === 0 && Object.keys(filter).length === 0)
    throw new OperatorError(`No capture is in ${files.join(', ')}: ${NAME_WARC}`);
  if (summary.lost) process.exitCode = 1;
  const rows = (kind: string, counts: Counts) =>
    Object.entries(counts).flatMap(([source, of]) => Object.entries(of).map(([name, n]) => [source, kind, name, String(n)]));
  const all = [...rows('outcome', summary.outcomes), ...rows('field', summary.fields), ...rows('skipped', summary.reasons)];
  const differing = all.length ? `${table(['SOURCE', 'KIND', 'WHAT', 'CAPTURES'], all)}\n` : '';
  const { captures, same, different: differ, skipped, lost, healed } = summary;
  const totals = `${plural(captures, 'capture')}: ${same} the same, ${differ} different (${healed} healed, ${lost} no longer found), ${skipped} not replayed`;
  printResult(options.json, { ...summary, captured: different }, () => differing + totals);
}
