import { DIGESTS, MOST_TARGETS, NOTIFY_FORMS } from '../../contract/account/constants.ts';
import type { Notify, NotifyTarget } from '../../contract/account/notify-schemas.ts';
import { api } from '../app/session.ts';
import { Act, type Asked } from '../parts/act.tsx';
import { Button } from '../parts/controls.tsx';
import type { IconName } from '../parts/icons.tsx';
import { addressOf, FORM_NAMES } from './targets.ts';

export const NOTIFY = '/v1/account/notify';
export const ICONS: Readonly<Record<NotifyTarget['as'], IconName>> = {
  ...{ slack: 'comment', discord: 'comments', teams: 'people', ntfy: 'bell', text: 'posts', email: 'posts' },
};
const WHEN = { now: 'at once', '1d': 'once a day, 08:00 UTC' } as const;
export const whenOf = ({ digest }: NotifyTarget): string => WHEN[digest ?? 'now'];
export const targetName = ({ as, to }: NotifyTarget): string => `${FORM_NAMES[as]} ${addressOf(to)}`;
const FULL = `An account has ${MOST_TARGETS} targets at most. Remove one first, or give a watch targets of its own.`;

/** A form that is left out is that of the host. */
type Given = Pick<NotifyTarget, 'to' | 'digest'> & { readonly as?: NotifyTarget['as'] };
const given = ({ to, as, digest }: NotifyTarget): Given => ({ to, as, digest });
const save = (notify: readonly Given[]): Promise<Notify> => api(NOTIFY, { method: 'PUT', body: { notify } });

/** What a target is asked for. A mail address may be typed without `mailto:`. */
const fieldsOfTarget = (as: NotifyTarget['as'] | null, target?: NotifyTarget): readonly Asked[] => [
  {
    id: 'to',
    name: 'Address',
    required: true,
    value: target ? addressOf(target.to) : '',
    about:
      as === 'email'
        ? 'A mail address. It gets a mail with a link first, and nothing before the link is used.'
        : 'The https address that the service gives you for incoming messages, or a mail address.',
  },
  {
    id: 'as',
    name: 'Form',
    value: target?.as ?? as ?? '',
    choices: [['', 'as its host says'], ...NOTIFY_FORMS.map((form) => [form, FORM_NAMES[form]] as const)],
  },
  {
    id: 'digest',
    name: 'When',
    value: target?.digest ?? '',
    choices: [['', WHEN.now], ...DIGESTS.map((one) => [one, WHEN[one]] as const)],
  },
];
function targetIn(form: FormData): Given {
  const text = (id: string): string => String(form.get(id) ?? '').trim();
  const to = text('to');
  const as = NOTIFY_FORMS.find((one) => one === text('as'));
  const digest = DIGESTS.find((one) => one === text('digest')) ?? null;
  return { to: /^[^\s:/]+@[^\s/]+$/.test(to) ? `mailto:${to}` : to, digest, ...(as && { as }) };
}

interface Of {
  readonly all: readonly NotifyTarget[];
  readonly reload: () => unknown;
}
/** Where no form is named, it is the one for which an address asks. */
export function Add({ all, reload, as, name, style }: Of & { name: string; as?: NotifyTarget['as']; style?: 'primary' }) {
  const own = { name, style, ...(as ? { icon: ICONS[as] } : ({ icon: 'plus', askedAs: 'add' } as const)) };
  if (all.length >= MOST_TARGETS)
    return <Act {...own} title="Five targets at most" says={FULL} confirm="Understood" run={async () => undefined} />;
  return (
    <Act
      {...own}
      title={as ? `Add a target: ${FORM_NAMES[as]}` : 'Add a target'}
      says={`It is told of every watch that has no targets of its own.${all.some(({ disabledAt }) => disabledAt !== null) ? ' Targets that are off are switched on again.' : ''}`}
      confirm="Add"
      ask={fieldsOfTarget(as ?? null)}
      isGuarded
      run={async (form) => void (await save([...all.map(given), targetIn(form)]))}
      done={reload}
    />
  );
}

/** A target with what was set in its place, or without it. */
const replaced = (all: readonly NotifyTarget[], target: NotifyTarget, by: readonly Given[]): readonly Given[] =>
  all.flatMap((one) => (one.targetId === target.targetId ? by : [given(one)]));

export function TargetActs({ target, all, reload, test }: Of & { target: NotifyTarget; test: (target: NotifyTarget) => Promise<void> }) {
  const own = { of: targetName(target), style: 'quiet', done: reload } as const;
  const { confirmed, disabledAt } = target;
  return (
    <>
      {!confirmed ? (
        <Act
          {...own}
          name="Send again"
          says="The mail with the link is sent once more; an address gets three a day at most."
          run={() => save(all.map(given))}
        />
      ) : disabledAt === null ? (
        <Button text="Test" aria-label={`Test ${own.of}`} onClick={() => void test(target)} />
      ) : (
        <Act {...own} name="Switch on" says="It is told again of what is found from now on." run={() => save(all.map(given))} />
      )}
      <Act
        {...own}
        name="Change"
        confirm="Save"
        says="Another address or form is a new target: what still waits for the old one is dropped."
        ask={fieldsOfTarget(target.as, target)}
        isGuarded
        run={async (form) => void (await save(replaced(all, target, [targetIn(form)])))}
      />
      <Act
        {...own}
        name="Remove"
        style="danger"
        says="Nothing is sent to it any more, and what waits for it is dropped. The feed holds everything anyway."
        run={() => save(replaced(all, target, []))}
      />
    </>
  );
}
