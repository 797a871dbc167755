import { useState } from 'preact/hooks';
import type { NewKey } from '../../contract/admin/schemas.ts';
import { operationChoices } from '../app/operations.ts';
import { session } from '../app/session.ts';
import type { Said } from '../parts/act.tsx';
import { AdminAct, type Ask, owner } from '../parts/admin.tsx';

/** A new key with a command that uses it. The operator's entrance is not the address of the API: there is no command. */
export const shownOnce = ({ key: secret }: Pick<NewKey, 'key'>): Said => ({
  secret,
  example: session.value?.kind === 'account' ? `curl -sS -H 'X-API-Key: ${secret}' \\\n  '${location.origin}/v1/account'` : undefined,
});

export const limits = (): Ask<'editKey'> => ({
  label: { name: 'Label', isFirst: true, about: 'What uses it, such as “price monitor”. Lists name the key by it.' },
  operations: { name: 'Operations; none chosen: all', choices: operationChoices() },
  creditsPerDay: 'Credits a day',
  creditsPerMonth: 'Credits a month',
  ratePerSecond: 'Requests a second',
  rateBurst: 'Requests at once',
  expiresAt: { name: 'Expires', about: 'UTC. Empty: never.' },
  addresses: 'Addresses',
});

const AGENT_CREDITS = '100';
/** What a preset fills in; what was typed stays. */
const PRESETS = {
  program: { name: 'A program', about: 'All lookups, and its own watches.' },
  some: { name: 'Some lookups', about: 'Those that you choose below.' },
  agent: { name: 'An agent over MCP', about: `All lookups, ${AGENT_CREDITS} credits a day at most.` },
  everything: { name: 'Everything', about: 'Also makes, changes, replaces and revokes keys, and changes all watches.' },
} as const;
type Preset = keyof typeof PRESETS;

export function CreateKey({ done }: { done: () => void }) {
  const [preset, setPreset] = useState<Preset>('program');
  const own = limits();
  const ask: Ask<'createKey'> = {
    ...own,
    creditsPerDay: { name: 'Credits a day', value: preset === 'agent' ? AGENT_CREDITS : '' },
    manage: {
      name: 'Rights',
      choices: [['true', 'It may make, change, replace and revoke keys']],
      value: preset === 'everything' ? 'true' : '',
    },
  };
  return (
    <AdminAct
      action="createKey"
      askedAs="create"
      input={owner()}
      ask={ask}
      opens={() => setPreset('program')}
      typed={(form) => setPreset((form.get('preset') ?? 'program') as Preset)}
      fold="Limits and rights"
      isUnfolded={preset === 'some'}
      form={
        <fieldset class="options">
          <legend>For</legend>
          {Object.entries(PRESETS).map(([id, { name, about }]) => (
            <label key={id} class="option">
              <input type="radio" name="preset" value={id} checked={preset === id} />
              <span>{name}</span>
              <small>{about}</small>
            </label>
          ))}
        </fieldset>
      }
      then={shownOnce}
      done={done}
    />
  );
}
