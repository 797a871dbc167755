import { useSignal } from '@preact/signals';
import type { SetupResult, SetupState } from '../../contract/contract-view.ts';
import { ApiError, api, signIn } from '../app/session.ts';
import { Button, focusDrawn, Status } from '../parts/controls.tsx';
import { Card, Note } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Problem, useLoaded, useNow, wordsOf } from '../parts/page.tsx';
import { CodeField } from './code-field.tsx';

/** The code of the link; it leaves the address at once. Of a link that was mangled on its way there is none: it is typed. */
const codeOfLink = /^#([\w-]+)$/.exec(location.hash)?.[1] ?? '';
if (location.hash !== '') history.replaceState(history.state, '', location.pathname);

const clock = (ms: number): string => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;

/** A name of this machine, or an address of it: what is sent stays here. */
export const isHere = (host: string): boolean => /^((?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

const isClaimed = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
/** Null: it is claimed. */
const readState = (signal: AbortSignal): Promise<SetupState | null> =>
  api<SetupState>('/setup', { signal }).catch((error: unknown) => {
    if (isClaimed(error)) return null;
    throw error;
  });

export function Claim({ done }: { done: (result: SetupResult) => void }) {
  const { loaded, reload } = useLoaded(readState, []);
  const state = loaded.value ?? null;
  const isFixed = state !== null && state.expiresAt === null && !state.over;
  const code = useSignal(codeOfLink);
  const name = useSignal('');
  const failed = useSignal<string | null>(null);
  const busy = useSignal(false);
  const now = useNow(1_000);
  const leftMs = state?.expiresAt ? Math.max(0, Date.parse(state.expiresAt) - now) : 0;
  const isOver = state !== null && !isFixed && (state.over || leftMs === 0);

  async function attempt(act: () => Promise<void>): Promise<void> {
    busy.value = true;
    failed.value = null;
    try {
      await act();
    } catch (error) {
      if (isClaimed(error)) await reload();
      else failed.value = wordsOf(error);
    } finally {
      busy.value = false;
    }
  }
  const submit = (event: Event): void => {
    event.preventDefault();
    void attempt(async () => {
      const result = await api<SetupResult>('/setup', { method: 'POST', body: { code: code.value, name: name.value } });
      await signIn({ apiKey: result.apiKey });
      done(result);
    });
  };
  const print = (): void =>
    void attempt(async () => {
      await api('/setup/code', { method: 'POST' });
      code.value = '';
      await reload();
    });

  if (loaded.failed !== undefined)
    return (
      <section class="alone">
        <h1>Claim this installation</h1>
        <Problem words={loaded.failed} />
        <Button icon="refresh" text="Try again" onClick={() => void reload()} />
      </section>
    );
  if (loaded.value === null)
    return (
      <section class="alone">
        <h1>This service is set up</h1>
        <p class="about">It has an owner already.</p>
        <a class="button primary" href="/console">
          Sign in
        </a>
      </section>
    );
  const isWrongCode = failed.value !== null && /\bcode/i.test(failed.value);
  const ofCode = {
    id: 'code',
    value: code.value,
    ref: codeOfLink === '' ? focusDrawn : null,
    'aria-describedby': isWrongCode ? 'code-wrong code-about' : 'code-about',
    'aria-invalid': isWrongCode,
  };
  return (
    <>
      <section>
        <h1>Claim this installation</h1>
        <p class="about">Sightline runs, and nobody has claimed it. The setup code proves that you started it.</p>
        <form class="card" onSubmit={submit} noValidate>
          <div class="field">
            <label for="code">Setup code</label>
            {isFixed ? (
              <input {...ofCode} autocomplete="off" spellcheck={false} onInput={(e) => (code.value = e.currentTarget.value)} />
            ) : (
              <CodeField of={ofCode} set={(text) => (code.value = text)} />
            )}
            <Problem id="code-wrong" class="wrong" words={isWrongCode ? failed.value : null} />
            <p id="code-about" class="about">
              {isFixed
                ? 'The value of SIGHTLINE_SETUP_CODE.'
                : isOver
                  ? 'This code has run out.'
                  : `${codeOfLink === '' ? 'It is printed where the service was started.' : 'Filled in from your link.'} Works for ${clock(leftMs)} more.`}
            </p>
            <Status words={isFixed || isOver ? null : `The code works for ${plural(Math.ceil(leftMs / 60_000), 'minute')}`} />
          </div>
          <div class="field">
            <label for="name">Name of your account</label>
            <input
              id="name"
              autocomplete="organization"
              maxLength={200}
              ref={codeOfLink !== '' ? focusDrawn : null}
              aria-describedby="name-about"
              value={name.value}
              onInput={(e) => (name.value = e.currentTarget.value)}
            />
            <p id="name-about" class="about">
              Yourself, a client or a team. More accounts can follow.
            </p>
          </div>
          <Problem words={isWrongCode ? null : failed.value} />
          <div class="actions">
            {isOver ? (
              <Button icon="refresh" class="primary" text="Print a new code" disabled={busy.value} onClick={print} />
            ) : (
              <button type="submit" class="primary" disabled={busy.value || code.value.trim() === '' || name.value.trim() === ''}>
                <Icon name="check" />
                Claim
              </button>
            )}
            <span class="about">Once only: a second claim gets the sign-in page.</span>
          </div>
        </form>
        <h2>No code?</h2>
        <p class="about">
          It is the last line of <code>sightline serve</code>, in <code>docker logs</code> and in <code>journalctl -u sightline</code>.
          Where nobody watches the start, <code>SIGHTLINE_SETUP_CODE</code> sets it. Or make a key there with{' '}
          <code>sightline keys create</code>.
        </p>
      </section>
      <aside class="stack">
        <Card
          title="What the claim makes"
          rows={[
            {
              id: 'account',
              icon: 'people',
              first: state ? `One account with ${number(state.freeCredits)} credits. They count use and are not money.` : 'One account',
            },
            { id: 'key', icon: 'key', first: 'Its first API key, for programs and for this console.' },
            { id: 'operator', icon: 'shield', first: 'An operator’s key, for sources, accounts and limits.' },
          ]}
        />
        <Card title="Until then">
          <p class="inner">Nobody can sign in, and no lookup is answered before this installation is claimed.</p>
        </Card>
        {location.protocol === 'http:' && !isHere(location.hostname) && (
          <Note icon="warning" warn>
            You reach this service over plain http from another machine: who reads that network reads the keys. Put https in front of it, or
            open it through a tunnel (<code>ssh -L</code>).
          </Note>
        )}
      </aside>
    </>
  );
}
