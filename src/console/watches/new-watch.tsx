import { useRef } from 'preact/hooks';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import type { Watch } from '../../contract/account/watch-schemas.ts';
import { operationName, watchAt } from '../app/operations.ts';
import { go } from '../app/place.ts';
import { api, mayManage } from '../app/session.ts';
import { Act } from '../parts/act.tsx';
import { inWords } from '../parts/format.ts';
import type { Answer } from '../workbench/answer.ts';
import { givenOf, quoteOf } from '../workbench/request.ts';
import { ALL, priceOf, watchName, watchPath } from './watch.tsx';
import { useWatchForm } from './watch-form.tsx';

/** A session that only reads creates no watch: the service refuses it. */
export const WatchThis = ({ shown }: { shown: Answer }) => mayManage() && <NewWatch shown={shown} />;

function NewWatch({ shown: { operation, values, body: answer } }: { shown: Answer }) {
  const made = useRef('');
  const price = quoteOf(operation, values).price?.price ?? null;
  const parameters = givenOf(operation, values);
  const { body, ...form } = useWatchForm({ operation: operation.id, parameters, answer, price });
  return (
    <Act
      {...form}
      name="Watch this"
      icon="eye"
      title={`Watch “${inWords(parameters) || operationName(operation.id)}”`}
      confirm="Watch"
      style="quiet"
      run={async (given) => {
        // the dialog may be sent before the price of the form has come
        const check = price ?? (await api<AccountPrice>('/v1/account/price', { query: { operation: operation.id, ...parameters } })).price;
        const sent = { operation: operation.id, parameters, ...body(given, check) };
        const { watchId, webhook } = await api<Watch>(ALL, { method: 'POST', body: sent });
        made.current = watchId;
        return webhook;
      }}
      done={() => go(watchAt(made.current))}
    />
  );
}

export function ChangeWatch({ watch, done }: { watch: Watch; done: () => unknown }) {
  const { watchId, operation, parameters } = watch;
  const price = priceOf(watch);
  const { body, ...form } = useWatchForm({ operation, parameters, answer: null, price, watch });
  return (
    <Act
      {...form}
      name="Change"
      of={watchName(watch)}
      confirm="Save"
      run={async (given) => (await api<Watch>(watchPath(watchId), { method: 'PATCH', body: body(given, price) })).webhook}
      done={done}
    />
  );
}
