import { invalid } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { mustBeOneOf } from '../parameters/misspelt.ts';
import { DIGESTS, MOST_TARGETS, type NewTarget, NOTIFY_FORMS } from './notify-schemas.ts';

type Form = NewTarget['as'];
const HOSTS: readonly (readonly [host: RegExp, form: Form])[] = [
  [/^hooks\.slack(-gov)?\.com$/, 'slack'],
  [/(^|\.)discord(app)?\.com$/, 'discord'],
  [/\.(webhook\.office\.com|logic\.azure\.com|powerplatform\.com)$/, 'teams'],
  [/(^|\.)ntfy\.sh$/, 'ntfy'],
];
/** Without control and format characters, which would be sent to the mail server or hide what is shown. */
const MAIL = /^[^\s\p{Cc}\p{Cf}@<>(),;:"\\]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+$/u;

const shown = (value: unknown): string => {
  const words = JSON.stringify(value) ?? 'missing';
  return words.length > 80 ? `${words.slice(0, 79)}…` : words;
};

function formOf(url: URL): Form | null {
  if (url.protocol === 'mailto:') return 'email';
  return HOSTS.find(([host]) => host.test(url.hostname))?.[1] ?? null;
}

function readTo(value: unknown, name: string): URL {
  const refuse = (must: string): never => {
    throw invalid(`Field ${name} is ${shown(value)}, but it ${must}.`);
  };
  if (typeof value !== 'string' || value.length > 2_000 || value.includes('…') || !URL.canParse(value))
    return refuse('must be a URL of at most 2,000 characters, such as https://ntfy.sh/my-topic or mailto:me@example.com');
  const url = new URL(value);
  if (url.protocol === 'mailto:') {
    let address = '';
    try {
      address = decodeURIComponent(url.pathname);
    } catch {
      // it is refused below
    }
    if (!MAIL.test(address) || url.search !== '' || url.hash !== '')
      return refuse('must be mailto: with one address and nothing behind it, such as mailto:me@example.com');
    return new URL(`mailto:${address}`);
  }
  return /^https?:$/.test(url.protocol) ? url : refuse('must begin with https:// or mailto:');
}

/** One target. `name`: of the field, for messages. Throws INVALID_REQUEST. */
export function readTarget(value: unknown, name: string): NewTarget {
  if (!isObject(value)) throw invalid(`Field ${name} is ${shown(value)}, but it must be {"to"} with an address.`);
  const stray = Object.keys(value).find((one) => !['to', 'as', 'digest'].includes(one));
  if (stray !== undefined)
    throw invalid(`Field ${name}/${stray} is ${shown(value[stray])}, but there is no such field: use to, as, digest.`);
  const url = readTo(value.to, `${name}/to`);
  const inferred = formOf(url);
  const { as = inferred, digest = null } = value;
  if (as === null)
    throw invalid(`Field ${name}/as is missing, but the host does not say how to write to it: give one of ${NOTIFY_FORMS.join(', ')}.`);
  const form = NOTIFY_FORMS.find((one) => one === as);
  if (form === undefined) throw invalid(`Field ${name}/as is ${shown(as)}, but it ${mustBeOneOf(NOTIFY_FORMS, as)}.`);
  if ((form === 'email') !== (url.protocol === 'mailto:'))
    throw invalid(`Field ${name}/as is ${shown(as)}, but only an address with mailto: is sent as email.`);
  if (form === 'ntfy' && !/[^/]/.test(url.pathname))
    throw invalid(`Field ${name}/to is ${shown(value.to)}, but it must end in a topic, such as https://ntfy.sh/my-topic.`);
  const span = digest === null ? null : DIGESTS.find((one) => one === digest);
  if (span === undefined) throw invalid(`Field ${name}/digest is ${shown(digest)}, but it must be "1d", or left out.`);
  return { to: url.href, as: form, digest: span };
}

/** A list of targets. Throws INVALID_REQUEST. */
export function readTargets(value: unknown, name = 'notify'): readonly NewTarget[] {
  if (!Array.isArray(value) || value.length > MOST_TARGETS)
    throw invalid(
      `Field ${name} is ${shown(value)}, but it must be a list of at most ${MOST_TARGETS} targets, such as [{"to": "https://ntfy.sh/my-topic"}].`,
    );
  return value.map((one: unknown, i) => readTarget(one, `${name}/${i}`));
}
