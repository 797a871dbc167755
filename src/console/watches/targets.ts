import type { NewTarget, NotifyTarget } from '../../contract/account/notify-schemas.ts';
import type { WatchChange, WatchDeliveries } from '../../contract/account/watch-schemas.ts';
import type { Pill } from '../parts/display.tsx';
import { plural } from '../parts/format.ts';

export const FORM_NAMES: Readonly<Record<NotifyTarget['as'], string>> = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Teams',
  ntfy: 'ntfy',
  text: 'Chat',
  email: 'E-mail',
};

/** The address as a person writes it. */
export const addressOf = (to: string): string => to.replace(/^mailto:/, '');

/** How it is with a target. */
export function targetState({ disabledAt, confirmed, failingSince, lastSuccessAt }: NotifyTarget) {
  const state = (text: string, tone: Parameters<typeof Pill>[0]['tone']) => ({ text, tone });
  if (disabledAt !== null) return state('Off', 'plain');
  if (!confirmed) return state('Waits for a click', 'busy');
  if (failingSince !== null) return state('Fails', 'bad');
  return lastSuccessAt === null ? state('Not used yet', 'plain') : state('Works', 'good');
}

export interface TargetChoice {
  readonly id: string;
  readonly name: string;
  /** `on Slack and in the feed`. */
  readonly words: string;
  /** `notify` of the watch; null: the account's; undefined: as it was. */
  readonly notify?: readonly NewTarget[] | null;
}

const wordsOf = ({ as, to }: NotifyTarget): string =>
  as === 'email' ? `by e-mail to ${to.replace(/^mailto:/, '')}` : `on ${FORM_NAMES[as]}`;
const shortTargetName = ({ as, to }: NotifyTarget): string =>
  `${FORM_NAMES[as]}, ${to.replace(/^(?:mailto:|https?:\/\/)/, '').slice(0, 40)}`;

/** Whom a watch may tell: the account's targets, one of them, or nobody. `own`: targets that it has now. */
export function targetChoices(account: readonly NotifyTarget[], own: readonly NotifyTarget[] | null): readonly TargetChoice[] {
  const names = [...new Set(account.map(({ as }) => FORM_NAMES[as]))].join(', ');
  const ofAccount = { id: 'account', notify: null };
  const all: TargetChoice =
    account.length === 0
      ? { ...ofAccount, name: 'only in the feed', words: 'in the feed' }
      : { ...ofAccount, name: `${plural(account.length, 'target')} of the account: ${names}`, words: 'on the targets of the account' };
  // an address that is not shown whole cannot be given to a watch
  const single = account.length < 2 ? [] : account.filter(({ to }) => !to.includes('…'));
  return [
    ...(own && own.length > 0
      ? [{ id: 'own', name: `its own: ${own.map(({ as }) => FORM_NAMES[as]).join(', ')}`, words: 'on its own targets' }]
      : []),
    all,
    ...single.map((one) => ({
      id: one.targetId,
      name: shortTargetName(one),
      words: wordsOf(one),
      notify: [{ to: one.to, as: one.as, digest: one.digest }],
    })),
    ...(account.length === 0 ? [] : [{ id: 'feed', name: 'only in the feed', words: 'in the feed alone', notify: [] }]),
  ];
}

export type Message = WatchDeliveries['deliveries'][number];

/** The messages that tell of a change: one a target for all changes of a check. */
export function messagesOf({ cursor, at }: Pick<WatchChange, 'cursor' | 'at'>, messages: readonly Message[]): readonly Message[] {
  const later = messages.filter((one) => one.createdAt === at && Number(one.cursor) >= Number(cursor));
  const nearest = Math.min(...later.map((one) => Number(one.cursor)));
  return later.filter((one) => Number(one.cursor) === nearest);
}
