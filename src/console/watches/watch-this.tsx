import { useRef } from 'preact/hooks';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import type { Watch } from '../../contract/account/watch-schemas.ts';
import { api } from '../app/api.ts';
import { operationName, watchAt } from '../app/operations.ts';
import { go } from '../app/place.ts';
import { Act } from '../parts/act.tsx';
import type { Answer } from '../workbench/answer.ts';
import { quoteOf } from '../workbench/price.ts';
import { givenOf } from '../workbench/request.ts';
import { askedOf, askWatch, settingsIn } from './watch.ts';

/** Makes a watch of a lookup, and leads to its page. */
export function WatchThis({ shown: { operation, values } }: { shown: Answer }) {
  const made = useRef('');
  const price = quoteOf(operation, values).price?.price ?? null;
  return (
    <Act
      name="Watch this"
      title={`Watch: ${operationName(operation.id)}`}
      confirm="Create the watch"
      style="quiet"
      says="The lookup is made again at its times, and each difference is in the feed of changes. A check costs what the lookup costs."
      ask={askedOf(price)}
      run={async (form) => {
        const parameters = givenOf(operation, values);
        const query = { operation: operation.id, ...parameters };
        // the dialog may be sent before the price of the form has come
        const check = price ?? (await api<AccountPrice>('/v1/account/price', { query })).price;
        const body = { operation: operation.id, parameters, ...settingsIn(form, check) };
        const { watchId, webhook } = await askWatch<Watch>(null, { method: 'POST', body });
        made.current = watchId;
        return webhook?.secret ? { secret: webhook.secret } : undefined;
      }}
      done={() => go(watchAt(made.current))}
    />
  );
}
