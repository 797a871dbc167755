import { useSignal } from '@preact/signals';
import { pricesOf } from '../../bulk/service.ts';
import { type Rows, tableForm } from '../../contract/tables.ts';
import { go, pageAt } from '../app/place.ts';
import { Button, Choices, LinkButton } from '../parts/controls.tsx';
import { Card, type ListEntry, Note } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { Problem, useLoaded, wordsOf } from '../parts/page.tsx';
import { Stats } from '../parts/stats.tsx';
import { AskedAgain } from './asked-again.tsx';
import { downloadLines, downloadResult, type Form, withoutAnswer } from './downloads.ts';
import { againOf, type Fact, tally } from './job.ts';
import { addFile, clientHere, type OpenFile, remaining } from './open-file.ts';
import type { Reading } from './reading.ts';
import { RemoveFile } from './remove-file.tsx';
import { Result } from './result.tsx';
import { askAgain, start } from './runner.ts';
import { bytesText, clockTime, linesText, timeText } from './words.ts';

interface ViewProps {
  readonly file: OpenFile;
  readonly reading: Reading;
}

export const DoneActions = () => <LinkButton icon="plus" href={pageAt('/console/files')} text="New file" />;

const FORMS: readonly (readonly [Form, string, string])[] = [
  ['csv', 'CSV', 'columns of the file first; cells as they are, for programs'],
  ['spreadsheet', 'CSV for spreadsheets', 'the same; cells that begin with =, +, - or @ are quoted, so that no program runs them'],
  ['ndjson', 'NDJSON', 'one answer a line, whole'],
];

function Downloads({ file, reading }: ViewProps) {
  const { operation } = reading;
  const hasEntries = tableForm(operation, 'entries') !== null;
  const rows = useSignal<Rows>('lookups');
  const failed = useSignal<string | null>(null);
  const left = withoutAnswer(file, reading);
  const { bytes } = tally(file.facts.values());
  const save = async (form: Form): Promise<void> => {
    failed.value = null;
    try {
      await downloadResult(file, reading, form, rows.value);
    } catch (error) {
      failed.value = wordsOf(error);
    }
  };
  const entries: ListEntry[] = FORMS.map(([form, name, about], nth) => ({
    id: form,
    icon: 'file',
    first: name,
    second: form === 'ndjson' ? `${about} · ${bytesText(bytes)}` : about,
    aside: (
      <Button
        class={nth === 0 ? 'primary' : undefined}
        icon="download"
        aria-label={`Download ${name}`}
        text="Download"
        onClick={() => void save(form)}
      />
    ),
  }));
  if (left.length > 0)
    entries.push({
      id: 'left',
      icon: 'file',
      first: `Only the ${linesText(left.length)} without an answer`,
      second: 'ready to be given again',
      aside: (
        <Button
          icon="download"
          aria-label="Download the lines without an answer"
          text="Download"
          onClick={() => downloadLines(file, reading, left)}
        />
      ),
    });
  return (
    <Card
      title="Download"
      rows={entries}
      aside={
        hasEntries && (
          <Choices
            legend="A row of CSV is"
            choices={[
              ['lookups', 'A row a line'],
              ['entries', 'A row a result'],
            ]}
            value={rows.value}
            choose={(to) => (rows.value = to)}
          />
        )
      }
    >
      {failed.value && <Problem words={failed.value} />}
    </Card>
  );
}

const SHOWN_FAILED = 5;
const failedOf = (file: OpenFile): readonly Fact[] => [...file.facts.values()].filter(({ ok, code }) => !ok && code !== 'NOT_FOUND');

/** Lines that failed, to be asked again with their price, and lines that were never asked. */
function Failed({ file, reading }: ViewProps) {
  const failed = failedOf(file);
  const lines = failed.map(({ line }) => line);
  const open = remaining(file, reading);
  const { value: most } = useLoaded(async () => {
    if (lines.length + open.length === 0) return null;
    const priceOf = await pricesOf(clientHere(), reading.plan);
    const sum = (of: readonly number[]): number =>
      of.reduce((all, line) => all + (reading.plan.lookups.find((one) => one.line === line)?.units ?? 0), 0);
    const one = reading.plan.lookups[0];
    const unit = one && one.units > 0 ? priceOf(one) / one.units : 1;
    return { failed: sum(lines) * unit, open: open.reduce((all, lookup) => all + priceOf(lookup), 0) };
  }, [lines.length, open.length]);
  const nameOf = (line: number): string => {
    const lookup = reading.plan.inputOfLine(line);
    const texts = lookup ? Object.values(reading.plan.textsOf(lookup)) : [];
    return texts[0] ?? '';
  };
  const price = (credits: number | undefined) => credits !== undefined && <span class="price">at most {plural(credits, 'credit')}</span>;
  return (
    <>
      {failed.length > 0 && (
        <Card
          title={`${plural(failed.length, 'line')} failed`}
          rows={failed.slice(0, SHOWN_FAILED).map(({ line, status, message }) => ({
            id: String(line),
            first: `${number(line)} · ${nameOf(line)}`,
            second: `${status ?? 'no answer'}: ${message ?? ''}`,
          }))}
        >
          {failed.length > SHOWN_FAILED && <p class="caption">and {number(failed.length - SHOWN_FAILED)} more, in the files above</p>}
          <p class="actions">
            <Button icon="refresh" text={['Ask these again', price(most?.failed)]} onClick={() => void askAgain(file, lines)} />
          </p>
        </Card>
      )}
      {open.length > 0 && (
        <Card title={`${plural(open.length, 'line was', 'lines were')} not asked`}>
          <p class="actions">
            <Button icon="play" text={['Go on', price(most?.open)]} onClick={() => void start(file)} />
          </p>
        </Card>
      )}
    </>
  );
}

/** The same lines once more, as a file of its own: its price is said before it runs. */
function RunAgain({ file }: { file: OpenFile }) {
  const failed = useSignal<string | null>(null);
  const add = async (): Promise<void> => {
    failed.value = null;
    const job = againOf(file.job.peek(), new Date().toISOString());
    try {
      await addFile(job, file.bytes);
      go(pageAt(`/console/files/${job.id}`));
    } catch (error) {
      failed.value = wordsOf(error);
    }
  };
  return (
    <Card title="Run it again" inset>
      <p>Tomorrow, say: the same file with the same columns. An answer in the cache is free; the price is said first.</p>
      <Problem words={failed.value} />
      <p class="actions">
        <Button icon="refresh" text="Run again" onClick={() => void add()} />
      </p>
    </Card>
  );
}

export function DoneView({ file, reading }: ViewProps) {
  const job = file.job.value;
  const { begun } = job;
  const sum = tally(file.facts.values());
  const rate = begun && begun.ranMs > 0 ? Math.round((file.facts.size * 60_000) / begun.ranMs) : 0;
  const endedMs = begun?.endedAt ? Date.parse(begun.endedAt) : null;
  return (
    <div class="stack">
      <Stats
        stats={[
          ['Answered', number(sum.answered), `${number(sum.cached)} from the cache`],
          ['Not found', number(sum.notFound), 'free'],
          ['Failed', number(sum.failed), 'free'],
          reading.bad.length > 0 && ['Left out', number(reading.bad.length), 'unreadable, free'],
          ['Charged', number(sum.credits), begun && `of at most ${number(begun.most)}`],
          begun !== null && [
            'Took',
            timeText(begun.ranMs),
            `${plural(rate, 'line')} a minute${endedMs ? `, until ${clockTime(endedMs, Date.now())}` : ''}`,
          ],
        ]}
      />
      <AskedAgain file={file} />
      {job.state === 'stopped' && <Note icon="stop">It was stopped. What was answered is below; the other lines stay open.</Note>}
      <div class="columns">
        <Downloads file={file} reading={reading} />
        <aside class="stack" aria-label="What is left">
          <Failed file={file} reading={reading} />
          <RunAgain file={file} />
          <Card title="Kept here" inset>
            <p>The result lies in this browser until you remove it.</p>
            <p class="actions">
              <RemoveFile job={job} done={() => go(pageAt('/console/files'))} />
            </p>
          </Card>
        </aside>
      </div>
      <Result file={file} reading={reading} />
    </div>
  );
}
