import type { AccountRequest, AccountRequests } from '../../contract/account/schemas.ts';
import type { OperationView } from '../../contract/contract-view.ts';
import { api } from '../app/api.ts';
import { operationIcon, operationName, requestAt, workbenchAt } from '../app/operations.ts';
import { at } from '../app/place.ts';
import { Card, ListRow, StatusPill } from '../parts/card.tsx';
import { inWords, moment } from '../parts/format.ts';
import { useLoaded } from '../parts/load.tsx';
import { plain } from './option-chips.tsx';
import { examplesOf } from './request.ts';
import { span } from './strip.tsx';

export const LookupRows = ({ requests }: { requests: readonly AccountRequest[] }) => (
  <ul class="rows">
    {requests.map((request) => (
      <ListRow
        key={request.requestId}
        icon={operationIcon(request.operation)}
        href={request.parameters ? workbenchAt(request.operation, request.parameters) : requestAt(request.requestId)}
        first={request.parameters ? inWords(request.parameters) : operationName(request.operation)}
        second={operationName(request.operation)}
      >
        <StatusPill status={request.status} />
        <time class="about" dateTime={request.at} title={moment(request.at)}>
          {span((Date.now() - Date.parse(request.at)) / 1000)} ago
        </time>
      </ListRow>
    ))}
  </ul>
);

export function ExampleRow({ operation: { id, price }, operation }: { operation: OperationView }) {
  const examples = examplesOf(operation);
  return (
    <ListRow icon={operationIcon(id)} first={operationName(id)} href={workbenchAt(id, examples)} second={inWords(examples)}>
      <span class="about">{/^\d+ credits?/.exec(price)?.[0]}</span>
    </ListRow>
  );
}

const MOST_ROWS = 5;

/** Before the first run: an example with its price, what the answer holds, and the last lookups of this operation. */
export function StartView({ operation }: { operation: OperationView }) {
  const { loaded } = useLoaded(
    (signal) => api<AccountRequests>('/v1/account/requests', { query: { operation: operation.id, limit: MOST_ROWS }, signal }),
    [operation],
  );
  const past = loaded.state === 'here' ? loaded.value.requests : [];
  return (
    <div class="page columns">
      <div class="stack">
        <h2>Try one</h2>
        <ul class="rows boxed">
          <ExampleRow operation={operation} />
        </ul>
        <Card title="Your last lookups" aside={<a href={at('/console/requests')}>All requests</a>}>
          {past.length > 0 && <LookupRows requests={past} />}
        </Card>
      </div>
      <div class="stack">
        <Card title="What you get" inset>
          <p>{plain(operation.summary)}.</p>
        </Card>
        <Card title="Price" inset>
          <p>
            {plain(operation.price)}. {'Errors and kept answers are free.'}
          </p>
        </Card>
      </div>
    </div>
  );
}
