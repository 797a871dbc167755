import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AttemptCapture, EndedOutcome } from '../../src/captures/capture.ts';
import { type CaptureWriterParts, createCaptureWriter } from '../../src/captures/capture-writer.ts';
import { type CapturesParts, createCaptures } from '../../src/captures/captures.ts';
import { createRedaction, secretsOf } from '../../src/captures/redaction.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import type { Answer } from '../../src/upstream/answer.ts';
import type { Exchange, SentRequest } from '../../src/upstream/ports.ts';
import { createManualClock } from '../support/manual-clock.ts';

export const START = Date.UTC(2026, 10, 22, 5, 0, 0, 0);

export function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-captures-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A UUIDv7 of that time. */
export function idAt(ms: number, n = 0): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`;
}
/** UUIDs of the start that count. */
export function countingIds(): () => string {
  let last = 0;
  return () => idAt(START, ++last);
}

interface AnswerGiven extends Partial<Answer> {
  readonly text?: string;
}
export const answerOf = ({ text = '<p>hello</p>', ...given }: AnswerGiven = {}): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(text),
  url: 'https://shop.example/app?page=2',
  atMs: START + 250,
  ...given,
});
export const sentOf = (given: Partial<SentRequest> = {}): SentRequest => ({
  atMs: START,
  method: 'GET',
  url: 'https://shop.example/app?page=2',
  headers: { accept: 'text/html', 'user-agent': 'Sightline' },
  body: null,
  answer: answerOf(),
  ...given,
});
export function exchangeOf(sent: readonly SentRequest[] = [sentOf()], given: Partial<Exchange> = {}): Exchange {
  const [first] = sent;
  const answer = sent.at(-1)?.answer;
  return {
    asked: { method: first?.method ?? 'GET', url: first?.url ?? '', body: first?.body ?? null },
    sent,
    reply: answer ? { tag: 'answer', answer } : { tag: 'unreachable', what: 'The source could not be reached.' },
    shared: false,
    secrets: [],
    ...given,
  };
}
/** `found` as an engine returns it. */
export const foundOf = (resource: object, given: Partial<EndedOutcome> = {}): EndedOutcome => ({
  tag: 'found',
  resource: { bytes: Buffer.from(JSON.stringify(resource)) },
  ...given,
});
export const captureOf = (given: Partial<AttemptCapture> = {}): AttemptCapture => ({
  id: idAt(START),
  source: 'appmarket/page',
  operation: 'app',
  input: { handle: 'widget' },
  requestId: 'request-1',
  atMs: START,
  outcome: foundOf({ handle: 'widget', name: 'Widget' }),
  exchanges: [exchangeOf()],
  ...given,
});

const redaction = createRedaction(secretsOf(readSettings({})));

/** A writer in this thread. */
export function writerIn(folder: string, given: Partial<CaptureWriterParts> = {}) {
  return createCaptureWriter({
    folder,
    ownFolder: folder,
    maxBytes: 268_435_456,
    keepMs: 7 * 86_400_000,
    redaction: () => redaction,
    version: '0.0.0',
    now: () => START,
    newId: countingIds(),
    ...given,
  });
}

export function capturesIn(folder: string, settings: Settings, given: Partial<CapturesParts> = {}) {
  const clock = createManualClock(START);
  const logged: string[] = [];
  const captures = createCaptures({
    settings,
    clock,
    random: () => 0.999,
    newId: countingIds(),
    folder,
    log: (_, message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
    ...given,
  });
  return { captures, clock, logged };
}
