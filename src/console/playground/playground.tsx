import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import type { OperationView } from '../../contract/contract-view.ts';
import { Drawn } from '../answers/drawn.tsx';
import { actingFor } from '../app/api.ts';
import { contract, session } from '../app/session.ts';
import { moment, plural } from '../parts/format.ts';
import { later } from '../parts/later.tsx';
import { type Answer, answer, codeOf, history, run } from './answer.ts';
import { ErrorView } from './error-view.tsx';
import { RequestForm } from './form.tsx';
import { Picker } from './picker.tsx';
import { Receipt } from './receipt.tsx';
import { givenOf, linkOf, pathOf, type Values } from './request.ts';

const JsonView = later(async () => (await import('./json-view.tsx')).JsonView);
const CodeView = later(async () => (await import('./code-view.tsx')).CodeView);
const Downloads = later(async () => (await import('./downloads.tsx')).Downloads);

/** What stands beside the answer; the choice holds for the next answers too. */
const beside = signal<'json' | 'code' | 'none'>('json');

const sameRequest = (a: Answer, b: Answer): boolean =>
  a.operation.id === b.operation.id && pathOf(a.operation, a.values) === pathOf(b.operation, b.values);

/** The answer, drawn, with its JSON and its code beside it. */
function Shown({ shown }: { shown: Answer }) {
  const failed = codeOf(shown) !== null;
  const before = history.value.find((h) => h !== shown && h.at < shown.at && sameRequest(h, shown) && h.status === 200);
  const unread = shown.received.get('x-fields-unread');
  const next = (after: string): void => {
    void run(shown.operation, { ...shown.values, after }, shown.headers);
  };
  return (
    <section class="answer" aria-labelledby="answer-heading">
      <h2 id="answer-heading" class="visually-hidden">
        Answer
      </h2>
      <Receipt answer={shown} />
      <div class="toolbar">
        <fieldset class="switch">
          <legend class="visually-hidden">Beside the answer</legend>
          {(['json', 'code', 'none'] as const).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="beside"
                checked={beside.value === name}
                onChange={() => {
                  beside.value = name;
                }}
              />
              {{ json: 'JSON', code: 'Code', none: 'Drawn alone' }[name]}
            </label>
          ))}
        </fieldset>
        <Downloads answer={shown} />
      </div>
      {unread && <p class="notice">The source’s page had fields that could not be read: {unread}.</p>}
      <div class={beside.value === 'none' ? 'panes' : 'panes beside'}>
        <div class="drawn">
          {failed ? (
            <ErrorView answer={shown} />
          ) : shown.status === 304 ? (
            <p class="notice">304: the answer that you have is still valid. Nothing was sent again.</p>
          ) : (
            <Drawn
              key={String(shown.at.getTime())}
              resourceName={shown.operation.resourceName}
              resource={shown.body}
              before={before?.body ?? null}
              next={next}
            />
          )}
        </div>
        {beside.value === 'json' && <JsonView value={shown.body} />}
        {beside.value === 'code' && <CodeView answer={shown} />}
      </div>
    </section>
  );
}

/** Requests of this page, newest first. */
function History() {
  const { route } = useLocation();
  if (history.value.length === 0) return null;
  const open = (past: Answer): void => {
    if (past.text !== '') answer.value = past;
    route(linkOf(past.operation, past.values));
  };
  return (
    <details class="history">
      <summary>{plural(history.value.length, 'request')} of this session</summary>
      <ol>
        {history.value.map((past) => (
          <li key={past.at.getTime()}>
            <button type="button" class="quiet" onClick={() => open(past)}>
              <span class={codeOf(past) === null ? 'status good' : 'status bad'}>{past.status}</span> {past.operation.id}{' '}
              <span class="small">
                {Object.values(givenOf(past.operation, past.values)).join(' ')} · {moment(past.at.toISOString())}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Operation({ operation, initial }: { operation: OperationView; initial: Values }) {
  const shown = answer.value?.operation.id === operation.id ? answer.value : null;
  useEffect(() => {
    document.title = `${operation.id} · Sightline`;
  }, [operation]);
  return (
    <>
      <header class="operation">
        <h1>{operation.summary.replaceAll('`', '')}</h1>
        <p class="small">
          <code>GET {operation.path}</code> · {operation.price.replaceAll('`', '')}
        </p>
      </header>
      <RequestForm operation={operation} initial={initial} />
      <History />
      {shown && <Shown key={shown.at.getTime()} shown={shown} />}
    </>
  );
}

/** The playground: operations by area, the form of one, and its answer. */
export function Playground() {
  const { params, query } = useRoute();
  const view = contract.value;
  const operation = view?.operations.find((o) => o.id === params.operation) ?? (params.operation ? null : view?.operations[0]);
  const mustChoose = session.value?.kind === 'operator' && actingFor.value === null;
  return (
    <div class="playground">
      <Picker current={operation?.id ?? ''} />
      <div class="work">
        {mustChoose && <p class="notice">Choose the account that pays for requests at the top of the page.</p>}
        {operation ? (
          <Operation key={`${operation.id}?${new URLSearchParams(query)}`} operation={operation} initial={query} />
        ) : (
          <p class="problem">There is no operation “{params.operation}”.</p>
        )}
      </div>
    </div>
  );
}
