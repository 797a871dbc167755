import { rmSync } from 'node:fs';
import type { OpenAccounts } from '../accounts/accounts.ts';
import { type FoundCapture, readCapture } from '../captures/read-captures.ts';
import type { AdminActions } from '../contract/admin/actions.ts';
import type { EVIDENCE_ACTIONS, ReplayReport } from '../contract/admin/evidence-actions.ts';
import { invalid, missing } from '../contract/errors.ts';
import { HOUR_MS, instant } from '../runtime/clock.ts';
import { VERSION } from '../runtime/installation.ts';
import type { Settings } from '../settings.ts';
import type { DriftSums } from '../store/drift-sums.ts';
import { capturesFolder } from './open-captures.ts';
import { UsageError } from './option-values.ts';
import { addTo, emptySummary, isHealed, MAX_VALUE, replayAll, replayParts } from './replay.ts';
import { type CaptureFilter, captureById, selectCaptures } from './select-captures.ts';
import type { Lookups } from './service.ts';
import { briefJson } from './terminal.ts';

const MAX_TEXT = 1_000_000;
const MAX_REPLAYED = 1_000;

const summaryOf = ({ facts: { exchanges: _exchanges, kind: _kind, outcome, ...facts }, length }: FoundCapture) => ({
  ...facts,
  input: facts.input as Record<string, unknown> | null,
  outcome: outcome?.tag ?? null,
  what: outcome?.what ?? null,
  unread: [...(outcome?.unread ?? [])],
  bytes: length,
});

/** The actions of the operator on captures and drift, in the process that holds the data folder. */
export function createEvidence(
  settings: Settings,
  audit: OpenAccounts['audit'],
  lookups: Pick<Lookups, 'sourceStates' | 'clock'>,
  driftSums: DriftSums,
): Pick<AdminActions, keyof typeof EVIDENCE_ACTIONS> {
  const folder = capturesFolder(settings);
  const { clock } = lookups;

  function find(id: string): FoundCapture {
    const found = captureById(folder, id);
    if (found) return found;
    throw missing(`There is no capture ${id.slice(0, 100)}: it was erased, or dropped for its age.`);
  }

  /** All captures that pass. Throws INVALID_REQUEST. */
  function select(filter: CaptureFilter): readonly FoundCapture[] {
    try {
      return [...selectCaptures(folder, [], filter)];
    } catch (error) {
      // it speaks of the option of the command
      throw error instanceof UsageError ? invalid(error.message.replace(/^--/, '')) : error;
    }
  }

  return {
    async listCaptures({ limit = 100, before, ...filter } = {}) {
      const found = select(filter).filter(({ facts }) => before === undefined || facts.capture < before);
      return found
        .slice(-Math.min(Math.max(1, limit), 1_000))
        .reverse()
        .map(summaryOf);
    },
    async showCapture({ capture }) {
      const found = find(capture);
      const { facts, exchanges } = readCapture(found);
      const { bytes: _, ...summary } = summaryOf(found);
      return {
        ...summary,
        detail: facts.outcome?.detail ?? null,
        resource: (facts.outcome?.resource ?? null) as Record<string, unknown> | null,
        exchanges: exchanges.flatMap(({ sent }) =>
          sent.map(({ method, url, atMs, answer }) => ({
            method,
            url,
            at: instant(atMs),
            durationMs: answer && answer.atMs - atMs,
            status: answer?.status ?? null,
            headers: { ...answer?.headers },
            body: answer?.body.toString().slice(0, MAX_TEXT) ?? null,
            bytes: answer?.body.length ?? 0,
          })),
        ),
      };
    },
    async eraseCapture({ capture }) {
      const { file, facts } = find(capture);
      await audit('capture.erase', capture, { source: facts.source, at: facts.at });
      rmSync(file, { force: true });
      return { erased: 1 };
    },
    async replayCaptures({ capture, ...filter } = {}) {
      const found = capture === undefined ? select(filter) : [find(capture)];
      const summary = emptySummary();
      const changes = new Map<string, ReplayReport['changes'][number]>();
      for await (const replayed of replayAll(await replayParts(settings), found.slice(-MAX_REPLAYED))) {
        addTo(summary, replayed);
        if ('skipped' in replayed) continue;
        const { before, after, differences, capture: of } = replayed;
        const answer = before.tag === after.tag ? [] : [{ field: 'answer', before: before.tag, after: after.tag }];
        const { source, capture: id } = of.facts;
        for (const [field, [first]] of Map.groupBy([...answer, ...differences], (each) => each.field)) {
          const key = `${source} ${field}`;
          const texts = { before: briefJson(first?.before, MAX_VALUE), after: briefJson(first?.after, MAX_VALUE) };
          const known = changes.get(key) ?? { source, field, ...texts, healed: isHealed(replayed), capture: id, captures: 0 };
          changes.set(key, { ...known, captures: known.captures + 1 });
        }
      }
      const { captures, same, healed, lost, skipped } = summary;
      return { captures, same, healed, lost, skipped, version: VERSION, changes: [...changes.values()] };
    },
    async listDrift() {
      const now = (await lookups.sourceStates()).flatMap(({ name, drifting }) => drifting.map((field) => ({ source: name, field })));
      const past = await driftSums.drifted();
      const nameOf = ({ source, field }: (typeof now)[number]): string => `${source} ${field}`;
      const [current, hours] = [new Set(now.map(nameOf)), new Map(past.map((one) => [nameOf(one), one.hour]))];
      const lastMs = (one: (typeof now)[number]): number => (hours.get(nameOf(one)) ?? clock.now() / HOUR_MS) * HOUR_MS;
      return [
        ...now.map((one) => ({ ...one, drifting: true, lastDriftAt: instant(lastMs(one)) })),
        ...past
          .filter((one) => !current.has(nameOf(one)))
          .sort((a, b) => b.hour - a.hour)
          .map(({ source, field, hour }) => ({ source, field, drifting: false, lastDriftAt: instant(hour * HOUR_MS) })),
      ];
    },
    async showDrift({ source, field }) {
      const hours = await driftSums.hoursOf(source, field, clock.now());
      const calm = hours.filter(({ drifting }) => drifting === 0);
      const answers = calm.reduce((sum, hour) => sum + hour.answers, 0);
      const share = (of: 'missing' | 'unread'): number | null =>
        answers === 0 ? null : calm.reduce((sum, hour) => sum + hour[of], 0) / answers;
      return {
        usualMissing: share('missing'),
        usualUnread: share('unread'),
        hours: hours.map(({ hour, drifting, ...counts }) => ({ at: instant(hour * HOUR_MS), ...counts, drifting: drifting === 1 })),
      };
    },
  };
}
