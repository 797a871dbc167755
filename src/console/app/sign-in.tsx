import { useSignal } from '@preact/signals';
import { focusDrawn } from '../parts/controls.tsx';
import { Note } from '../parts/display.tsx';
import { Brand } from '../parts/icons.tsx';
import { Problem, wordsOf } from '../parts/page.tsx';
import { SecretInput } from '../parts/secret-input.tsx';
import { contract, signIn, signInError } from './session.ts';

const ENTRANCES = {
  account: {
    title: 'Sign in',
    about: 'With an API key of your account. The session may do what the key may do.',
    label: 'API key',
    hint: 'Begins with sl_. It is sent once and never stored by the browser.',
    other: [
      'No key? Ask your operator for a link that signs in once:',
      <br key="line" />,
      <code key="code">npx sightline console --account …</code>,
    ],
  },
  operator: {
    title: 'Operator sign-in',
    about: 'For sources, accounts and limits.',
    label: 'Operator’s key',
    hint: 'Begins with slo_. The token of the file admin-token in the data folder works as well.',
    other: ['Quicker: run ', <code key="code">npx sightline console</code>, ' there. It prints a link that signs in once.'],
  },
} as const;

export function SignIn() {
  const given = useSignal('');
  const busy = useSignal(false);
  const entrance = contract.value?.entrance ?? 'account';
  const { title, about, label, hint, other } = ENTRANCES[entrance];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const text = given.value.trim();
    if (text === '') {
      signInError.value = `Enter the ${entrance === 'account' ? 'API key' : 'operator’s key'}, or a link that signs in once.`;
      return;
    }
    busy.value = true;
    const code = /#code=([\w-]{20,})$/.exec(text)?.[1];
    try {
      await signIn(
        code !== undefined
          ? { code }
          : entrance === 'account'
            ? { apiKey: text }
            : text.startsWith('slo_')
              ? { operatorKey: text }
              : { adminToken: text },
      );
    } catch (error) {
      signInError.value = wordsOf(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <main class="entrance" id="main">
      <Brand size={36} />
      <form onSubmit={(e) => void submit(e)} noValidate>
        <div>
          <h1>{title}</h1>
          <p class="about">{about}</p>
        </div>
        <Problem words={signInError.value} />
        <div class="field">
          <label for="credential">{label}</label>
          <SecretInput
            id="credential"
            ref={focusDrawn}
            of={label}
            aria-describedby="credential-about"
            value={given.value}
            onInput={(e) => (given.value = e.currentTarget.value)}
          />
          <p id="credential-about" class="about">
            {hint}
          </p>
        </div>
        <button type="submit" class="primary" disabled={busy.value}>
          Sign in
        </button>
        <Note icon={entrance === 'account' ? 'link' : 'bolt'}>{other}</Note>
      </form>
    </main>
  );
}
