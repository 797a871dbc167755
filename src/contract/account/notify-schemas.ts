import type { Static } from 'typebox';
import { flag, list, nullable, oneOf, orNull, record, requestBody, text } from '../schema.ts';
import { DIGESTS, MOST_TARGETS, NOTIFY_FORMS } from './constants.ts';

const to = text('https URL of the target, or `mailto:` with one address.');
const as = oneOf(NOTIFY_FORMS, 'How the message is written; may be left out where the host says it. `text`: JSON `{"text"}`.');
const digest = oneOf(DIGESTS, '`1d`: one message a day, at 08:00 UTC.');
/** `to`, and where it is not inferred or wanted otherwise `as` and `digest`. */
export const NewNotifyTarget = requestBody({ to }, { as, digest: nullable(digest) });
export const newTargets = (description: string) => ({ ...list(NewNotifyTarget, description), maxItems: MOST_TARGETS });
export const NotifyTarget = record({
  targetId: text('Id of the target.'),
  to: text('Its address, whole to who may change it; to others host and last characters.'),
  as: oneOf(NOTIFY_FORMS, 'How the message is written.'),
  digest: nullable(digest),
  createdAt: text('When it was added, RFC 3339.'),
  confirmed: flag('False: a mail address that has not confirmed yet; nothing is sent to it.'),
  lastSuccessAt: orNull.text('When it took a message last.'),
  failingSince: orNull.text('Since when it cannot be reached.'),
  lastFailureAt: orNull.text('When it failed last; it stays after a success.'),
  lastError: orNull.text('What its last failure met.'),
  offAt: orNull.text('When it is switched off if it keeps failing; null: it does not fail.'),
  nextAt: orNull.text('When the next message is sent; null: none waits.'),
  disabledAt: orNull.text('When messages to it stopped, because it answered 410 or failed for three days. Set it again to resume.'),
});
export type NotifyTarget = Static<typeof NotifyTarget>;

/** Body of `PUT /v1/account/notify`. */
export const NotifyEdit = requestBody({ notify: newTargets(`Targets, ${MOST_TARGETS} at most; they replace those before.`) }, {});
export const Notify = record({ notify: list(NotifyTarget, 'Targets of all watches without targets of their own.') });
export type Notify = Static<typeof Notify>;

/** Body of `POST /v1/account/notify/test`: a target that is set, or an address. */
export const NotifyTest = requestBody({}, { targetId: text('A target of the account.'), to, as });
export const NotifyTestResult = record({
  ok: flag('Whether the target took the message.'),
  status: orNull.count('HTTP status; null: there was no answer.'),
  durationMs: orNull.count('How long it took, ms.'),
  private: flag('It is in a private network, which SIGHTLINE_PRIVATE_TARGETS of the operator opens.'),
  said: orNull.text('What it answered, 500 characters at most; null of a private target, and where it said nothing.'),
  error: orNull.text('What went wrong.'),
});
export type NotifyTestResult = Static<typeof NotifyTestResult>;

/** A target that was read from a body: its form is known. */
export interface NewTarget {
  readonly to: string;
  readonly as: (typeof NOTIFY_FORMS)[number];
  readonly digest: (typeof DIGESTS)[number] | null;
}
