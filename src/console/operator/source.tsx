import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AuditEntry, SourceState } from '../../contract/admin/schemas.ts';
import type { CredentialTrial, SourceCredential } from '../../contract/admin/source-credential-schemas.ts';
import { CREDENTIAL_WORDS } from '../../contract/admin/source-words.ts';
import { operationName } from '../app/operations.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { focusDrawn } from '../parts/controls.tsx';
import { Card, Note, Pill, Time } from '../parts/display.tsx';
import { day, dollars, plural } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Problem, pageOf, wordsOf } from '../parts/page.tsx';
import { InForce } from './in-force.tsx';
import { DriftLink, freeOf, priceOf, SourceStatePill, Spent } from './sources.tsx';
import { Stated } from './stated.tsx';

interface SourceData {
  readonly state: SourceState;
  /** Every source: to compare it with. */
  readonly sources: readonly SourceState[];
  readonly credentials: readonly SourceCredential[];
  readonly happened: readonly AuditEntry[];
}

async function readSource(name: string, signal: AbortSignal): Promise<SourceData> {
  const [{ sources }, credentials, happened] = await Promise.all([
    admin('listSources', {}, signal),
    admin('listCredentials', {}, signal),
    admin('auditLog', { subject: name, limit: 10 }, signal),
  ]);
  const state = sources.find((each) => each.name === name);
  if (!state) throw new Error(`There is no source ${name}: the list of sources has all.`);
  return { state, sources, credentials: credentials.filter(({ source }) => source === name), happened };
}

/** What the word of its state does not say. */
const MORE: Readonly<Record<SourceCredential['state'], string>> = {
  none: '.',
  entered: '',
  environment: ': it wins. Take the variable out and restart to enter it here.',
  sealed_otherwise: ': enter it again. It was sealed with a different SIGHTLINE_SECRET, and setting that one again loses nothing.',
};
const saidOf = (trial: CredentialTrial): string => [trial.why, trial.advice].filter(Boolean).join(' ');

const stoppedWords = (usd: number): string =>
  `Stopped: nothing is stored.${usd === 0 ? '' : ` The provider may still bill the request (${dollars(usd)}).`}`;

/** What is entered stays in the form alone: it is sent once, and no answer holds it. */
function Credentials({
  name,
  credentials,
  reload,
}: {
  name: string;
  credentials: readonly SourceCredential[];
  reload: () => Promise<void>;
}) {
  const isBusy = useSignal(false);
  const failed = useSignal<string | null>(null);
  const trial = useSignal<CredentialTrial | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const isLocked = credentials.every(({ state }) => state === 'environment');
  const entered = credentials.filter(({ state }) => state === 'entered');
  const usd = credentials[0]?.usd ?? 0;
  const empty = credentials.find(({ state }) => state === 'none' || state === 'sealed_otherwise');
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const stop = new AbortController();
    running.current = stop;
    isBusy.value = true;
    failed.value = null;
    trial.value = null;
    try {
      const given = [...new FormData(form)].filter(([, value]) => String(value).trim() !== '');
      const values = Object.fromEntries(given.map(([id, value]) => [id, String(value)]));
      trial.value = await admin('enterCredentials', { source: name, values }, stop.signal);
      if (trial.value.stored) form.reset();
      await reload();
    } catch (error) {
      failed.value = stop.signal.aborted ? stoppedWords(usd) : wordsOf(error);
    } finally {
      running.current = null;
      isBusy.value = false;
    }
  };
  return (
    <Card title={credentials.length === 1 ? 'Its key' : 'Its credentials'}>
      <form
        class="stack"
        onSubmit={(e) => void submit(e)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') running.current?.abort();
        }}
      >
        {credentials.map(({ name: id, about, state, secret, hint, setAt }) => (
          <div class="field" key={id}>
            <label for={`credential-${id}`}>{id}</label>
            <input
              id={`credential-${id}`}
              name={id}
              // Preact's types ask for one kind of input at a time
              type={(secret ? 'password' : 'text') as 'password'}
              autocomplete="off"
              spellcheck={false}
              disabled={state === 'environment'}
              ref={id === empty?.name ? focusDrawn : null}
              placeholder={hint ?? ''}
              aria-describedby={`about-${id}`}
            />
            <p id={`about-${id}`} class="about">
              {about} {CREDENTIAL_WORDS[state]}
              {MORE[state]}
              {setAt !== null && state === 'entered' && (
                <>
                  {' '}
                  on <Time at={setAt} />. Left empty it stays.
                </>
              )}
            </p>
          </div>
        ))}
        <Problem words={failed.value} />
        {trial.value && (
          <p role="status">
            <Pill tone={trial.value.stored ? 'good' : 'bad'} text={trial.value.stored ? 'Works, and is in force' : 'Not stored'} />{' '}
            {saidOf(trial.value)}
          </p>
        )}
        {entered.length > 0 && <InForce since={entered.map(({ setAt }) => setAt).join()} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={isLocked || isBusy.value}>
            <Icon name="bolt" />
            Try it
            <span class="price">{usd === 0 ? 'free' : dollars(usd)}</span>
          </button>
          {isBusy.value && (
            <button type="button" class="quiet" ref={focusDrawn} onClick={() => running.current?.abort()}>
              Stop <kbd>Esc</kbd>
            </button>
          )}
          {credentials.some(({ state }) => state === 'entered' || state === 'sealed_otherwise') && (
            <AdminAct action="removeCredentials" of={name} input={{ source: name }} done={() => void reload()} />
          )}
          <span class="about">one request for a fact that holds for years</span>
        </div>
        <p class="about">
          Stored only if the trial answers. Then sealed on this machine, in force on every gateway within a second, and never shown again. A
          variable of the environment wins.
        </p>
      </form>
    </Card>
  );
}

const WORDS: Readonly<Record<string, string>> = {
  'source.credentials': 'credentials tried and stored',
  'source.credentials.refused': 'credentials tried, not stored',
  'source.credentials.remove': 'credentials removed',
  'source.check': 'checked',
};

function View({ data: { state, sources, credentials, happened }, reload }: { data: SourceData; reload: () => Promise<void> }) {
  const { sunset, offer } = state;
  const used = state.operations.map(operationName).join(', ');
  return (
    <div class="columns">
      <div class="stack">
        {credentials.length > 0 ? (
          <Credentials name={state.name} credentials={credentials} reload={reload} />
        ) : (
          <Note>
            It takes no credentials here.{' '}
            {state.lacking.length > 0 && (
              <>
                It lacks <code>{state.lacking.join(', ')}</code>, which {plural(state.lacking.length, 'setting')} of the environment.
              </>
            )}
          </Note>
        )}
        <Stated source={state} all={sources} />
        <Card
          title="What happened"
          aside={<a href={`/console/audit?_subject=${encodeURIComponent(state.name)}`}>Audit log</a>}
          none="Nothing yet."
          rows={happened.map(({ seq, at, action, actor }) => ({
            ...{ id: String(seq), first: WORDS[action] ?? action, second: actor, aside: <Time at={at} /> },
          }))}
        />
      </div>
      <aside class="stack">
        <Card
          title="About"
          aside={<SourceStatePill source={state} />}
          facts={[
            ['For', used],
            ['What it is', state.about],
            ['Price', priceOf(state)],
            ['Free', freeOf(state)],
            [
              'Its terms',
              offer?.terms && (
                <a key="terms" href={offer.terms} target="_blank" rel="noopener noreferrer">
                  {offer.terms.replace(/^https?:\/\//, '')}
                </a>
              ),
            ],
            ['Read on', offer && day(offer.readOn)],
            ['Second-hand', offer?.copied.length ? `${offer.copied.join(', ')}: read in a copy by others` : null],
            [
              'Drifts',
              state.drifting.length > 0
                ? state.drifting.map((field) => <DriftLink key={field} source={state.name} field={field} />)
                : undefined,
            ],
            ['Spent today', <Spent key="spent" source={state} />],
            ['Terms', state.terms],
            ['Ends', sunset && `${sunset.date === null ? 'announced' : day(sunset.date)}. ${sunset.what}`],
          ]}
        />
      </aside>
    </div>
  );
}

export const SourcePage = pageOf<SourceData>(
  'source',
  (name) => ({ title: name, back: ['/console/sources', 'Sources'], load: (signal) => readSource(name, signal) }),
  View,
);
