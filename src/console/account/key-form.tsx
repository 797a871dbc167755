import { useSignal } from '@preact/signals';
import { contract } from '../app/session.ts';
import { ActionDialog, Input } from '../parts/inputs.tsx';
import type { Key, KeyLimits } from './key-api.ts';

/** A whole number of the text, or null for none. What is no number goes to the service, which says what is wrong. */
const limitOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
/** `datetime-local` has no zone: the console shows and reads UTC. */
const localOf = (instant: string | null): string => (instant === null ? '' : instant.slice(0, 16));
const instantOf = (local: string): string | null => (local === '' ? null : new Date(`${local}Z`).toISOString());

interface KeyFormProps {
  readonly title: string;
  readonly action: string;
  readonly given: Key | null;
  readonly save: (limits: KeyLimits, manage: boolean) => Promise<void>;
  readonly onClose: () => void;
}

/** Label and limits of a key. */
export function KeyForm({ title, action, given, save, onClose }: KeyFormProps) {
  const label = useSignal(given?.label ?? '');
  const expires = useSignal(localOf(given?.expiresAt ?? null));
  const addresses = useSignal(given?.addresses?.join(', ') ?? '');
  const perDay = useSignal(String(given?.creditsPerDay ?? ''));
  const perMonth = useSignal(String(given?.creditsPerMonth ?? ''));
  const rate = useSignal(String(given?.ratePerSecond ?? ''));
  const burst = useSignal(String(given?.rateBurst ?? ''));
  const operations = useSignal<ReadonlySet<string>>(new Set(given?.operations ?? []));
  const manage = useSignal(false);
  const toggle = (id: string): void => {
    const next = new Set(operations.value);
    if (!next.delete(id)) next.add(id);
    operations.value = next;
  };
  const run = (): Promise<void> => {
    const allowed = addresses.value.split(/[\s,]+/).filter(Boolean);
    return save(
      {
        label: label.value,
        expiresAt: instantOf(expires.value),
        operations: operations.value.size ? [...operations.value] : null,
        addresses: allowed.length ? allowed : null,
        creditsPerDay: limitOf(perDay.value),
        creditsPerMonth: limitOf(perMonth.value),
        ratePerSecond: limitOf(rate.value),
        rateBurst: limitOf(burst.value),
      },
      manage.value,
    );
  };
  return (
    <ActionDialog title={title} action={action} run={run} onClose={onClose}>
      <Input name="Label" value={label} about="To tell keys apart." />
      <Input name="Expires" type="datetime-local" value={expires} about="UTC. Empty: never." />
      {given === null && (
        <p>
          <label>
            <input
              type="checkbox"
              checked={manage.value}
              onChange={() => {
                manage.value = !manage.value;
              }}
            />{' '}
            It may make, change, replace and revoke keys
          </label>
        </p>
      )}
      <Input name="Addresses" value={addresses} about="IP addresses or CIDR ranges, separated by commas. Empty: any." />
      <div class="fields">
        <Input name="Credits a day" type="number" value={perDay} about="Empty: no cap." />
        <Input name="Credits a month" type="number" value={perMonth} about="Empty: no cap." />
        <Input name="Requests a second" type="number" value={rate} about="Empty: as the account." />
        <Input name="Requests at once" type="number" value={burst} about="Empty: as the account." />
      </div>
      <fieldset>
        <legend>Operations; none chosen: all</legend>
        <div class="choices">
          {contract.value?.operations.map((o) => (
            <label key={o.id}>
              <input type="checkbox" checked={operations.value.has(o.id)} onChange={() => toggle(o.id)} /> {o.id}
            </label>
          ))}
        </div>
      </fieldset>
    </ActionDialog>
  );
}
