import { useSignal } from '@preact/signals';
import { wordsOf } from '../parts/load.tsx';
import { signIn, signInError } from './session.ts';

/** Sign-in by API key, one-time code, or, on the admin listener, by the admin token. */
export function SignIn() {
  const given = useSignal('');
  const kind = useSignal<'apiKey' | 'code' | 'adminToken'>('apiKey');
  const busy = useSignal(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    busy.value = true;
    try {
      const text = given.value.trim();
      await signIn(kind.value === 'apiKey' ? { apiKey: text } : kind.value === 'code' ? { code: text } : { adminToken: text });
    } catch (error) {
      signInError.value = wordsOf(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <main class="sign-in" id="main">
      <h1>Sightline</h1>
      <p>Sign in to try lookups and to see what they cost.</p>
      <form onSubmit={(e) => void submit(e)}>
        <fieldset class="switch">
          <legend class="visually-hidden">Sign in with</legend>
          {(
            [
              ['apiKey', 'API key'],
              ['code', 'One-time code'],
              ['adminToken', 'Admin token'],
            ] as const
          ).map(([id, name]) => (
            <label key={id}>
              <input
                type="radio"
                name="kind"
                checked={kind.value === id}
                onChange={() => {
                  kind.value = id;
                }}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <label for="credential">{{ apiKey: 'API key', code: 'One-time code', adminToken: 'Admin token' }[kind.value]}</label>
        <input
          id="credential"
          type="password"
          autocomplete="off"
          required
          value={given.value}
          onInput={(e) => {
            given.value = e.currentTarget.value;
          }}
        />
        <p class="about">
          {
            {
              apiKey: 'It is sent once, to this service. The browser keeps a session cookie, never the key.',
              code: 'Printed by “sightline console”: valid for 60 seconds, once.',
              adminToken: 'For the operator, on the admin listener alone.',
            }[kind.value]
          }
        </p>
        {signInError.value && (
          <p class="problem" role="alert">
            {signInError.value}
          </p>
        )}
        <button type="submit" class="primary" disabled={busy.value || given.value.trim() === ''}>
          Sign in
        </button>
      </form>
    </main>
  );
}
