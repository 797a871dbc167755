import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CredentialTrial, SourceCredential } from '../../contract/admin/source-credential-schemas.ts';
import { CREDENTIAL_WORDS } from '../../contract/admin/source-words.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { focusDrawn } from '../parts/controls.tsx';
import { Card, Pill, Time } from '../parts/display.tsx';
import { dollars } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Problem, useNow, wordsOf } from '../parts/page.tsx';
import { SecretInput } from '../parts/secret-input.tsx';
import { InForce } from './in-force.tsx';

/** What the word of its state does not say. */
const MORE: Readonly<Record<SourceCredential['state'], string>> = {
  none: '.',
  entered: '',
  environment: ': it wins. Take the variable out and restart to enter it here.',
  sealed_otherwise: ': enter it again. It was sealed with a different SIGHTLINE_SECRET, and setting that one again loses nothing.',
};
/** Of a trial that failed, and of one that answered. */
const TRIED = { entered: ['Not stored', 'Works, and is in force'], locked: ['Does not work', 'Works'] } as const;

const stoppedWords = (usd: number): string =>
  `Stopped: nothing is stored.${usd === 0 ? '' : ` The provider may still bill the request (${dollars(usd)}).`}`;

/** How long the trial runs, and what stopping it means. */
function Trying({ usd }: { usd: number }) {
  const [begunMs] = useState(Date.now);
  const elapsed = Math.max(0, useNow(100) - begunMs) / 1000;
  return (
    <p class="about">
      Asking for {elapsed.toFixed(1)} s. Stopping stores nothing{usd > 0 && `; ${dollars(usd)} may still be billed`}.
    </p>
  );
}

/** What is entered stays in the form alone: it is sent once, and no answer holds it. */
export function Credentials({
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
  const works = trial.value?.state === 'works';
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
            {state === 'environment' ? (
              <input id={`credential-${id}`} disabled placeholder={`Set by ${id}`} aria-describedby={`about-${id}`} />
            ) : (
              <SecretInput
                {...{ id: `credential-${id}`, name: id, of: id, isPlain: !secret, placeholder: hint ?? '' }}
                ref={id === empty?.name ? focusDrawn : null}
                aria-describedby={`about-${id}`}
              />
            )}
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
          <div role="status">
            <p>
              <Pill tone={works ? 'good' : 'bad'} text={TRIED[isLocked ? 'locked' : 'entered'][Number(works)]} /> {trial.value.why}
            </p>
            {trial.value.advice !== null && <p class="about">{trial.value.advice}</p>}
          </div>
        )}
        {entered.length > 0 && <InForce since={entered.map(({ setAt }) => setAt).join()} />}
        <div class="actions">
          <button type="submit" class={isLocked ? '' : 'primary'} disabled={isBusy.value}>
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
          <span class="about">one lookup of a fact that holds for years</span>
        </div>
        {isBusy.value && <Trying usd={usd} />}
        <p class="about">
          {isLocked
            ? 'The trial asks with the key of the environment, which stays there: nothing is stored, and it is never shown.'
            : 'Stored only if the trial answers. Then sealed on this machine, in force on every gateway within a second, and never shown again. A variable of the environment wins.'}
        </p>
      </form>
    </Card>
  );
}
