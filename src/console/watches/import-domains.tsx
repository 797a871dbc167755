import { useSignal } from '@preact/signals';
import { checksInMonth, EVERY_MS } from '../../contract/account/constants.ts';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import { tooMany } from '../../contract/lists/watch-list.ts';
import { api, credits } from '../app/session.ts';
import { Button, Choices, Dialog, Status } from '../parts/controls.tsx';
import { Card, Pill } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { Problem, useLoaded, wordsOf } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import { OPERATION, type ReadList, readList, tagsIn } from './import-list.ts';
import { ALL, readAccountWatches } from './watch.tsx';

const DUE = ['30, 14, 7, 1', '60, 30, 14, 7, 1', '14, 7, 1', '7, 1'];
const EVERY = [
  ['7d', 'every week'],
  ['1d', 'every day'],
] as const;
type Interval = (typeof EVERY)[number][0];
const MOST_SHOWN = 200;

async function readAccount(signal?: AbortSignal) {
  const [account, { price }] = await Promise.all([
    readAccountWatches(signal),
    api<AccountPrice>('/v1/account/price', { query: { operation: OPERATION, domain: 'example.com' }, signal }),
  ]);
  return { account, price };
}

interface Columns {
  readonly read: ReadList;
  readonly again: (column: number | null, tags: number | null) => void;
}
function ColumnChoices({ read: { reading, tags }, again }: Columns) {
  const { names } = reading.guess;
  if (names.length < 2) return null;
  const column = reading.holds.indexOf('domain');
  const options = names.map((name, index) => (
    <option key={`${index}${name}`} value={index}>
      {name}
    </option>
  ));
  return (
    <div class="fields">
      <label class="field">
        Domain is in column
        <select value={column} onInput={(e) => again(Number(e.currentTarget.value), tags)}>
          {column < 0 && <option value={-1}>choose it</option>}
          {options}
        </select>
      </label>
      <label class="field">
        Tags are in column
        <select value={tags} onInput={(e) => again(column < 0 ? null : column, Number(e.currentTarget.value))}>
          <option value={-1}>none</option>
          {options}
        </select>
      </label>
    </div>
  );
}

/** A list of domains becomes watches: read in the browser, with its price said before one is made. */
export function ImportDomains({ close, done }: { close: () => void; done: () => unknown }) {
  const { loaded, value: here, reload } = useLoaded(readAccount, []);
  const read = useSignal<ReadList | null>(null);
  const pasted = useSignal('');
  const every = useSignal<Interval>('7d');
  const due = useSignal(DUE[0] ?? '');
  const failed = useSignal<string | null>(null);
  const made = useSignal<number | null>(null);
  const asksFirst = useSignal(false);

  const take = async (name: string, bytes: Uint8Array, column: number | null = null, tags: number | null = null): Promise<void> => {
    failed.value = null;
    try {
      const { account } = here ?? (await readAccount());
      read.value = await readList(name, bytes, account, column, tags);
    } catch (error) {
      read.value = null;
      failed.value = wordsOf(error);
    }
  };
  const list = read.value;
  const count = list?.planned.length ?? 0;
  const days = due.value.split(', ').map(Number);
  const each = (interval: Interval): number => (here ? here.price * checksInMonth(EVERY_MS[interval], days.length) : 0);
  const make = async (): Promise<void> => {
    const beyond = list && here && tooMany(count, here.account);
    failed.value = beyond || null;
    if (!list || !here || beyond) return;
    made.value = 0;
    try {
      for (const { line, parameters } of list.planned) {
        const body = { operation: OPERATION, parameters, every: every.value, due: days, tags: tagsIn(list, line) };
        await api(ALL, { method: 'POST', body: { ...body, creditsPerMonth: Math.max(1, each(every.value)) } });
        made.value++;
      }
      done();
    } catch (error) {
      failed.value = `${wordsOf(error)} ${plural(made.value ?? 0, 'watch was', 'watches were')} made; those that are left can be imported again.`;
      made.value = null;
      read.value = null;
      await reload();
    }
  };
  const leave = (): void => {
    if (made.value !== null) return;
    if ((list || pasted.value !== '') && !asksFirst.value) asksFirst.value = true;
    else close();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && (list || pasted.value !== '')) {
      // browsers close a dialog on the second Escape, whatever the first one met
      event.preventDefault();
      leave();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && list && count > 0 && made.value === null) void make();
  };
  return (
    <Dialog title="Import domains" onClose={leave}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the dialog */}
      <div class="stack import" onKeyDown={press}>
        {loaded.failed !== undefined && <Problem words={loaded.failed} />}
        {list === null ? (
          <>
            <label class="field" for="import-lines">
              Domains, one a line, or a CSV with a header
            </label>
            <textarea
              id="import-lines"
              rows={6}
              spellcheck={false}
              placeholder={'acme-widgets.com\nbluebirdlooms.com'}
              value={pasted.value}
              onInput={(event) => (pasted.value = event.currentTarget.value)}
            />
            <label class="field">
              Or a file: a plain list, a CSV, or the export of a registrar
              <input
                type="file"
                accept=".csv,.tsv,.txt,text/*"
                onChange={(event) => {
                  const [file] = event.currentTarget.files ?? [];
                  if (file) void file.arrayBuffer().then((bytes) => take(file.name, new Uint8Array(bytes)));
                }}
              />
            </label>
            <p class="about">It is read in this browser. Nothing is made, and nothing is charged, before you say so.</p>
          </>
        ) : (
          <>
            <p class="actions">
              <strong class="grow">{`${list.name}: ${plural(list.reading.lines, 'line')}, read in this browser`}</strong>
              <Button text="Another list" onClick={() => (read.value = null)} />
            </p>
            <ColumnChoices read={list} again={(column, tags) => void take(list.name, list.bytes, column, tags)} />
            <div class="fields">
              <div class="field">
                <span aria-hidden="true">Check</span>
                <Choices legend="Check" choices={EVERY} value={every.value} choose={(one) => (every.value = one)} />
              </div>
              <label class="field">
                Tell before it expires
                <select value={due.value} onInput={(e) => (due.value = e.currentTarget.value)}>
                  {DUE.map((one) => (
                    <option key={one} value={one}>{`${one} days`}</option>
                  ))}
                </select>
              </label>
            </div>
            <Card
              title="Price"
              inset
              facts={{
                Now: 'free: the first check of each is made at its own time',
                'First round': `${plural(here ? count * here.price : 0, 'credit')} within a ${every.value === '1d' ? 'day' : 'week'}`,
                'At most a month': plural(count * each(every.value), 'credit'),
                'Due dates': 'free',
                Balance: credits.value === null ? undefined : number(credits.value),
              }}
            >
              <p class="about">
                {every.value === '1d'
                  ? `Every week: at most ${number(count * each('7d'))} a month.`
                  : `Every day: at most ${number(count * each('1d'))} a month. A registry is asked at its own pace.`}
              </p>
            </Card>
            <p class="actions">
              <strong>{`${number(count)} of ${plural(list.reading.lines, 'line')}`}</strong>
              <Pill tone={count > 0 ? 'good' : 'warn'} text={`${number(count)} new`} />
              {list.leftOut.length > 0 && <Pill tone="warn" text={`${number(list.leftOut.length)} left out`} />}
            </p>
            {count === 0 && <p class="about">No line makes a watch. Lines that work: acme-widgets.com, müller-uhren.de.</p>}
            {list.leftOut.length > 0 && (
              <DataTable
                caption="Lines that are left out"
                rows={list.leftOut.slice(0, MOST_SHOWN)}
                columns={[
                  { name: 'Line', as: 'number', value: (one) => one.line },
                  { name: 'Text', of: (one) => <code class="cell">{one.text}</code> },
                  { name: 'Why it is left out', of: (one) => one.why.replace(/^Parameter domain /, '') },
                ]}
              />
            )}
            {list.leftOut.length > MOST_SHOWN && <p class="about">{`And ${number(list.leftOut.length - MOST_SHOWN)} more.`}</p>}
          </>
        )}
        <Problem words={failed.value} />
        <Status words={made.value === null ? null : `${made.value} of ${count} made`} />
        {asksFirst.value && (
          <p class="note warn" role="alert">
            <span class="grow">This list is not imported.</span>
            <Button text="Leave it" onClick={close} />
            <Button text="Go on" onClick={() => (asksFirst.value = false)} />
          </p>
        )}
        <div class="actions ends">
          <Button class="quiet" text="Cancel" onClick={leave} />
          {list === null ? (
            <Button
              class="primary"
              text="Read the lines"
              onClick={() => {
                if (pasted.value.trim() === '') failed.value = 'Paste one domain at least, or choose a file.';
                else void take('Pasted lines', new TextEncoder().encode(pasted.value));
              }}
            />
          ) : (
            count > 0 && (
              <Button
                class="primary"
                disabled={made.value !== null}
                onClick={() => void make()}
                text={
                  made.value === null
                    ? [
                        `Watch ${plural(count, 'domain')}`,
                        <span key="price" class="price">{` at most ${plural(count * each(every.value), 'credit')} a month`}</span>,
                      ]
                    : `${number(made.value)} of ${number(count)} made…`
                }
              />
            )
          )}
        </div>
      </div>
    </Dialog>
  );
}
