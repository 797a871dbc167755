import { demandField, wrongField } from '../body-fields.ts';
import { invalid } from '../errors.ts';
import { NOTIFY_FORMS } from './constants.ts';
import { NewNotifyTarget, type NewTarget, NotifyEdit } from './notify-schemas.ts';
import { shownAddress } from './shown.ts';

type Form = NewTarget['as'];
const HOSTS: readonly (readonly [host: RegExp, form: Form])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/(^|\.)discord(app)?\.com$/, 'discord'],
  [/\.(webhook\.office\.com|logic\.azure\.com|powerplatform\.com)$/, 'teams'],
  [/(^|\.)ntfy\.sh$/, 'ntfy'],
];
/** Without control and format characters, which would be sent to the mail server or hide what is shown. */
const MAIL = /^[^\s\p{Cc}\p{Cf}@<>(),;:"\\]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+$/u;

function formOf(url: URL): Form | null {
  if (url.protocol === 'mailto:') return 'email';
  return HOSTS.find(([host]) => host.test(url.hostname))?.[1] ?? null;
}

function readTo(to: string, name: string): URL {
  if (to.length > 2_000 || to.includes('…') || !URL.canParse(to))
    throw wrongField(
      name,
      shownAddress(to),
      'must be a URL of at most 2,000 characters, such as https://ntfy.sh/my-topic or mailto:me@example.com',
    );
  const url = new URL(to);
  if (url.protocol === 'mailto:') {
    let address = '';
    try {
      address = decodeURIComponent(url.pathname);
    } catch {
      // it is refused below
    }
    if (!MAIL.test(address) || url.search !== '' || url.hash !== '')
      throw wrongField(name, shownAddress(to), 'must be mailto: with one address and nothing behind it, such as mailto:me@example.com');
    return new URL(`mailto:${address}`);
  }
  if (!/^https?:$/.test(url.protocol)) throw wrongField(name, shownAddress(to), 'must begin with https:// or mailto:');
  return url;
}

type Given = Pick<NewTarget, 'to'> & Partial<NewTarget>;

/** One target. `name`: of the field, for messages. Throws INVALID_REQUEST. */
export function readTarget(value: unknown, name: string): NewTarget {
  demandField(NewNotifyTarget, value, name);
  const { to, as: form, digest = null } = value as Given;
  const url = readTo(to, `${name}/to`);
  const as = form ?? formOf(url);
  if (as === null)
    throw invalid(`Field ${name}/as is missing, but the host does not say how to write to it: give one of ${NOTIFY_FORMS.join(', ')}.`);
  if ((as === 'email') !== (url.protocol === 'mailto:'))
    throw wrongField(`${name}/as`, as, 'must be email for an address with mailto:, and for no other');
  // as ntfy takes topics
  if (as === 'ntfy' && !/\/[\w-]{1,64}\/*$/.test(url.pathname))
    throw wrongField(`${name}/to`, shownAddress(to), 'must end in a topic, such as https://ntfy.sh/my-topic, of letters, digits, - and _');
  return { to: url.href, as, digest };
}

/** A list of targets. Throws INVALID_REQUEST. */
export function readTargets(value: unknown, name = 'notify'): readonly NewTarget[] {
  demandField(NotifyEdit.properties.notify, value, name);
  const targets = (value as readonly unknown[]).map((one, i) => readTarget(one, `${name}/${i}`));
  for (const [i, { to }] of targets.entries())
    if (targets.findIndex((one) => one.to === to) < i)
      throw wrongField(`${name}/${i}/to`, shownAddress(to), 'must be named once: each target gets one message a check');
  return targets;
}
