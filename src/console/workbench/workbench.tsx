import { useEffect } from 'preact/hooks';
import { opened } from '../app/keys.tsx';
import { operationIcon, operationName, operationOf } from '../app/operations.ts';
import { place } from '../app/place.ts';
import { StatusPill } from '../parts/card.tsx';
import { Chip } from '../parts/chip.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { inWords, moment } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { later } from '../parts/later.tsx';
import { Problem } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { answer, history, openPast, reopen, running, stop } from './answer.ts';
import { quoteOf } from './price.ts';
import { QueryBar } from './query-bar.tsx';
import { form, givenOf } from './request.ts';
import { StartView } from './start-view.tsx';
import { Strip } from './strip.tsx';

const Shown = later(async () => (await import('./shown.tsx')).Shown);

/** Past runs of this page; their answers are in memory, and in the cache as long as it keeps them. */
const History = () => (
  <Chip value="History" label="History" class="quiet">
    {(close) =>
      history.value.length === 0 ? (
        <p class="none">Nothing was run on this page yet.</p>
      ) : (
        <ul class="menu history">
          {history.value.map((past) => (
            <li key={past.at.getTime()}>
              <a
                href={past.address}
                title={moment(past.at.toISOString())}
                onClick={(event) => {
                  event.preventDefault();
                  close();
                  openPast(past);
                }}
              >
                <StatusPill status={past.status} />
                {operationName(past.operation.id)}
                <small>{inWords(givenOf(past.operation, past.values))}</small>
              </a>
            </li>
          ))}
        </ul>
      )
    }
  </Chip>
);

const Waiting = () => (
  <div class="page columns" aria-hidden="true">
    <div class="stack">
      <span class="skeleton" />
      <span class="skeleton" />
      <span class="skeleton" />
    </div>
  </div>
);

function listen(event: KeyboardEvent): void {
  if (document.querySelector('dialog[open]')) return;
  if (event.key === 'Escape' && running.value) stop();
  else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
    document.querySelector<HTMLFormElement>('form.query')?.requestSubmit();
}

export function Workbench({ params }: { params: Readonly<Record<string, string>> }) {
  const operation = operationOf(params.operation ?? '');
  const { entry } = place.value;
  const values = form.value?.values ?? {};
  const price = operation && quoteOf(operation, values).price;
  const isCached = price?.cached === true && price.charge === 0;
  const shown = answer.value;
  useEffect(() => {
    const required = operation?.parameters.find((p) => p.required);
    if (required && innerWidth >= 960) document.getElementById(`field-${required.name}`)?.focus({ preventScroll: true });
  }, [operation, entry]);
  useEffect(() => {
    // what the address asks for is shown where it is kept: this is free, and nothing is run
    if (isCached && place.value.query.get('_age') !== 'new') void reopen();
  }, [entry, isCached]);
  useEffect(() => {
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  if (!operation)
    return (
      <Page title="Workbench">
        <Problem words={`There is no operation “${params.operation}”.`} />
      </Page>
    );
  const name = operationName(operation.id);
  return (
    <Page
      title={name}
      bare
      heading={
        <>
          <span class="wide">{name}</span>
          <button type="button" class="narrow quiet" onClick={() => (opened.value = 'operations')}>
            <Icon name={operationIcon(operation.id)} large />
            {name}
            <Icon name="down" />
          </button>
        </>
      }
      actions={
        <div class="bar-actions">
          <code class="about">GET {operation.path}</code>
          <CopyButton text={() => location.href}>Copy link</CopyButton>
          <History />
        </div>
      }
    >
      <div class="workbench">
        <QueryBar key={operation.id} operation={operation} values={values} />
        <Strip />
        {shown ? <Shown shown={shown} /> : running.value ? <Waiting /> : <StartView key={operation.id} operation={operation} />}
      </div>
    </Page>
  );
}
