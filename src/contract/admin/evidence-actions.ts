import type { TUnknown } from 'typebox';
import { CAPTURED_TAGS } from '../captured-tags.ts';
import { count, flag, list, mapOf, nullable, oneOf, orNull, record, text, words } from '../schema.ts';
import { defineActions, fields, line, NO_FIELDS, options, type ValueOf } from './define.ts';

const FILTER = {
  source: line('only this source'),
  operation: line('only this operation'),
  outcome: oneOf(CAPTURED_TAGS, 'only this outcome'),
  field: line('only where this field was not read'),
  request: line('only attempts of this request'),
  since: line('only since this time, RFC 3339'),
};

const CAPTURE = {
  capture: text('Id of the capture.'),
  at: text('When the attempt began, RFC 3339.'),
  source: text('The source that was asked.'),
  operation: orNull.text('Id of the operation.'),
  input: nullable(mapOf({} as TUnknown, 'Input of the lookup.')),
  requestId: orNull.text('Id of the request; null: of none.'),
  outcome: orNull.text('Outcome of the attempt.'),
  what: orNull.text('Why it is not `found`.'),
  unread: words('Fields whose content was not understood.'),
  version: text('Version of the service that made the attempt.'),
};
export const CaptureSummary = record({ ...CAPTURE, bytes: count('Size of its file.') });
export type CaptureSummary = ValueOf<typeof CaptureSummary>;

export const CapturePage = record({
  ...CAPTURE,
  detail: orNull.text('What the parser said of it.'),
  resource: nullable(mapOf({} as TUnknown, 'What was read; null where nothing was.')),
  exchanges: list(
    record({
      method: text('Method; `WHOIS` for a WHOIS query.'),
      url: text('Address.'),
      at: text('When it was sent, RFC 3339.'),
      durationMs: orNull.amount('Milliseconds to its whole answer; null: none came.'),
      status: orNull.count('Status of the answer.'),
      headers: mapOf(text(''), 'Headers of the answer.'),
      body: orNull.text('Text of the answer, of a million characters at most.'),
      bytes: count('Length of the answer.'),
    }),
    'Requests that were sent, in order.',
  ),
});
export type CapturePage = ValueOf<typeof CapturePage>;

export const ReplayReport = record({
  captures: count('Captures that were replayed.'),
  same: count('Of these, with the same outcome and fields.'),
  healed: count('Found where it was not before, or with fewer unread fields.'),
  lost: count('No longer found.'),
  skipped: count('Could not be replayed.'),
  version: text('Version of the service that replayed them.'),
  changes: list(
    record({
      source: text('Source.'),
      field: text('Dotted path; `answer`: the outcome.'),
      before: text('Value of one capture before, as JSON.'),
      after: text('Value of the same capture now, as JSON.'),
      captures: count('Captures in which it differs.'),
      healed: flag('Whether the replay of that one is better than before.'),
      capture: text('Id of that capture.'),
    }),
    'What differs, by source and field.',
  ),
});
export type ReplayReport = ValueOf<typeof ReplayReport>;

export const DriftField = record({
  source: text('Source.'),
  field: text('Dotted path in the resource; `answer`: the shape of the whole answer.'),
  drifting: flag('Whether it drifts now, in the process that answers.'),
  lastDriftAt: orNull.text('The last hour in which it drifted, RFC 3339.'),
});
export type DriftField = ValueOf<typeof DriftField>;
export const DriftCourse = record({
  usualMissing: orNull.amount('Share of answers without a value in hours without drift, 0 to 1.'),
  usualUnread: orNull.amount('The same for values that were not understood.'),
  hours: list(
    record({
      at: text('Begin of the hour, RFC 3339.'),
      answers: count('Answers in which the field was expected.'),
      missing: count('Of these, without a value.'),
      unread: count('Of these, with a value that was not understood.'),
      drifting: flag('Whether it drifted in this hour.'),
    }),
    'Hours with answers of the last 7 days, oldest first.',
  ),
});

/** Actions on captures and on what was counted of the fields of each source. */
export const EVIDENCE_ACTIONS = defineActions({
  listCaptures: {
    summary: 'list captures of the data folder of the process that answers, newest first',
    requests: ['GET /captures'],
    input: options({
      ...FILTER,
      limit: count('number of captures; default: 100'),
      before: line('only captures older than this one, by its id'),
    }),
    answer: list(CaptureSummary),
  },
  showCapture: {
    summary: 'show a capture with its exchanges and what was read',
    requests: ['GET /captures/{capture}'],
    input: fields({ capture: line('id of the capture') }),
    answer: CapturePage,
  },
  eraseCapture: {
    summary: 'erase a capture for good',
    requests: ['DELETE /captures/{capture}'],
    input: fields({ capture: line('id of the capture') }),
    answer: record({ erased: count('Captures that were erased.') }),
  },
  replayCaptures: {
    summary: 'replay captures with the parsers of this version: no request is made, nothing is charged',
    requests: ['POST /captures/replay'],
    input: options({ ...FILTER, capture: line('only this capture') }),
    answer: ReplayReport,
  },
  listDrift: {
    summary: 'list the fields that drift, and those that drifted within 30 days',
    requests: ['GET /drift'],
    input: NO_FIELDS,
    answer: list(DriftField),
  },
  showDrift: {
    summary: 'show how often a field of a source was missing or unread, hour by hour',
    requests: ['GET /drift/hours'],
    input: fields({ source: line('name of the source'), field: line('dotted path of the field, or `answer`') }),
    answer: DriftCourse,
  },
});
