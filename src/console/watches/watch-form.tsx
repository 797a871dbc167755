import { useSignal } from '@preact/signals';
import { checksInMonth, EVERY, EVERY_MS, type Every } from '../../contract/account/constants.ts';
import type { Notify } from '../../contract/account/notify-schemas.ts';
import type { AccountSites } from '../../contract/account/ranking-schemas.ts';
import type { Watch } from '../../contract/account/watch-schemas.ts';
import { soughtHere } from '../answers/shared.tsx';
import { operationName, operationOf } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { api } from '../app/session.ts';
import type { Asked } from '../parts/act.tsx';
import { Choices } from '../parts/controls.tsx';
import { Note } from '../parts/display.tsx';
import { capital, inWords, plural } from '../parts/format.ts';
import { useLoaded } from '../parts/page.tsx';
import { fieldName } from './change-words.ts';
import { type Chosen, Conditions, usualValue } from './conditions.tsx';
import { dueOf, fieldsOf, oneByOne, presetsIn, type Ticked } from './preset-fields.ts';
import { ENTRIES, entriesIn, PRESETS } from './presets.ts';
import { targetChoices } from './targets.ts';
import { everyInWords } from './watch.tsx';

/** What a watch is made of, and the answer that it was opened from (null: none). */
interface About {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly answer: unknown;
  /** Credits of one check; null: not known. */
  readonly price: number | null;
  readonly watch?: Watch;
}
interface FormState extends Omit<Chosen, 'entry'> {
  /** Null: what the page marks, else the own site where there is one. */
  readonly entry: string | null;
  readonly every: Every;
  /** Of `targetChoices`. */
  readonly told: string;
  /** As it was typed. */
  readonly budget: string;
}

const INTERVALS: Readonly<Record<Every, string>> = { '1h': 'hour', '6h': '6 h', '12h': '12 h', '1d': 'day', '7d': 'week' };
const DESCRIPTION = 'watch-sentence';
const isOfSite = (host: string, site: string): boolean => host === site || host.endsWith(`.${site}`);

/** The form of a new watch or of one that is changed: for the dialog of an act. */
export function useWatchForm({ operation, parameters, answer, price, watch }: About) {
  const state = useSignal<FormState | null>(null);
  const isOpen = state.value !== null;
  const { value: account } = useLoaded(
    async (signal) => {
      if (!isOpen) return null;
      const [{ notify }, sites] = await Promise.all([
        api<Notify>('/v1/account/notify', { signal }),
        operation === 'serp' ? api<AccountSites>('/v1/account/sites', { signal }) : null,
      ]);
      return { notify, own: sites?.own ?? null };
    },
    [operation, isOpen],
  );
  const presets = PRESETS[operation] ?? [];
  const others = oneByOne(operation, operationOf(operation)?.watched ?? [], fieldName);
  const of = ENTRIES[operation];
  const entries = of ? entriesIn(answer, of) : [];
  const own = account?.own ?? null;
  const sought = soughtHere();

  const fresh = (): FormState => {
    const rest = { every: watch?.every ?? '1d', told: 'account', budget: watch ? String(watch.creditsPerMonth) : '' } as const;
    if (watch) {
      const { entries: named, ticked, left } = presetsIn([...presets, ...others], watch.fields, watch.due);
      const told = watch.notify === null ? 'account' : watch.notify.length === 0 ? 'feed' : 'own';
      return { ...rest, told, entry: named.join(', '), ticked, left };
    }
    const ticked = presets.flatMap((preset): Ticked[] => (preset.isUsual ? [{ preset, value: usualValue(preset) }] : []));
    // the usual fields are those of the operation where it has no conditions
    return {
      ...rest,
      entry: null,
      ticked: ticked.length > 0 ? ticked : others.map((preset) => ({ preset, value: '' })),
      left: [],
    };
  };
  const shown = state.value ?? fresh();
  const { ticked, left, every, told, budget } = shown;
  const isMarked = (one: string): boolean => (operation === 'serp' ? isOfSite(one, sought) : one.includes(sought));
  // a site stands for its hosts
  const found = sought === '' ? undefined : entries.find(isMarked);
  const marked = operation === 'serp' && found !== undefined ? sought : found;
  const entry = shown.entry ?? marked ?? own ?? '';
  const set = (changes: Partial<FormState>): void => {
    state.value = { ...(state.value ?? fresh()), ...changes };
  };

  /** A site stands for its hosts in the answer. */
  const names = ((): readonly string[] => {
    if (entry === '' || entries.includes(entry)) return entry === '' ? [] : [entry];
    if (entry.includes(', ')) return entry.split(', ');
    const hosts = entries.filter((host) => isOfSite(host, entry));
    return hosts.length > 0 ? hosts : operation === 'serp' && watch === undefined ? [entry, `www.${entry}`] : [entry];
  })();
  const places =
    of && entry !== ''
      ? `${entry === own ? 'your site; ' : ''}${names.some((one) => entries.includes(one)) ? 'in this answer' : 'not in this answer'}`
      : null;

  const due = dueOf(presets, ticked);
  const checks = checksInMonth(EVERY_MS[every], due?.length);
  const perMonth = price === null ? null : price * checks;
  const most = perMonth === null ? null : Math.min(perMonth, budget.trim() === '' ? Number.POSITIVE_INFINITY : Number(budget) || 0);
  const targets = targetChoices(account?.notify ?? [], watch?.notify ?? null);
  const target = targets.find(({ id }) => id === told) ?? targets[0];
  const count = ticked.length + left.length;
  const sentence = [
    `${capital(everyInWords(every))} this looks up ${operationName(operation)}: ${inWords(parameters) || 'as the form says'}.`,
    count === 0
      ? 'Nothing is ticked yet.'
      : `You hear of it ${target?.words ?? 'in the feed'} when ${count === 1 ? 'what is ticked happens' : `one of ${count} things happens`}.`,
    'A failed check is never a change.',
  ].join(' ');

  return {
    fold: 'Name, budget and webhook',
    describedBy: DESCRIPTION,
    isGuarded: true,
    price: most === null ? null : `at most ${plural(most, 'credit')} a month`,
    opens: () => {
      state.value = fresh();
    },
    typed: (form: FormData): void => {
      const typed = String(form.get('creditsPerMonth') ?? '');
      if (typed !== budget) set({ budget: typed });
    },
    ask: fieldsOfWatch(watch),
    form: (
      <>
        <Conditions
          {...{ operation, presets, others, answer, names, entry, ticked, left }}
          entries={own === null ? entries : [own, ...entries]}
          about={answer === null ? null : places}
          set={set}
        />
        <div class="actions">
          <div class="field">
            <span aria-hidden="true">Look every</span>
            <Choices
              legend="Look every"
              choices={EVERY.map((one) => [one, INTERVALS[one]])}
              value={every}
              choose={(one) => set({ every: one })}
            />
          </div>
          <label class="field">
            Tell
            <select value={target?.id} onInput={(e) => set({ told: e.currentTarget.value })}>
              {targets.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {account?.notify.length === 0 && (
            <a href={pageAt('/console/messages')} target="_blank" rel="noopener">
              Add a target
            </a>
          )}
        </div>
        <div id={DESCRIPTION}>
          <Note icon="eye">{sentence}</Note>
        </div>
      </>
    ),
    /** The body of the request. `check`: credits of one check. Throws where nothing is ticked. */
    body: (form: FormData, check: number) => {
      if (count === 0) throw new Error('Tick at least one thing to be told of.');
      const notify = target?.notify;
      return {
        ...settingsIn(form, check * checks, watch),
        every,
        fields: [...fieldsOf(ticked, names), ...left],
        ...(due !== undefined && { due }),
        ...(notify !== undefined && { notify }),
      };
    },
  };
}

const fieldsOfWatch = (watch?: Watch): readonly Asked[] => [
  { id: 'name', name: 'Name', value: watch?.name ?? '', about: 'Optional.' },
  {
    id: 'creditsPerMonth',
    name: 'Budget, credits a month',
    type: 'number',
    value: String(watch?.creditsPerMonth ?? ''),
    about: 'Its checks never cost more in a calendar month (UTC). Empty: what they cost at most.',
  },
  {
    id: 'webhook',
    name: 'Webhook',
    value: watch?.webhook?.url ?? '',
    about: 'Optional: https address of a program that is told of each change.',
  },
];

/** What the fields of the fold set. A webhook is set only where it is another: setting it again makes a new secret. */
function settingsIn(form: FormData, month: number, watch?: Watch) {
  const text = (id: string): string => String(form.get(id) ?? '').trim();
  const url = text('webhook');
  return {
    creditsPerMonth: text('creditsPerMonth') === '' ? month : Number(text('creditsPerMonth')),
    name: text('name') || null,
    ...(url !== (watch?.webhook?.url ?? '') && { webhook: url ? { url } : null }),
  };
}
