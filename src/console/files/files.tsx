import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { noText } from '../../bulk/encoding.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { operationIcon, operationName, operationOf } from '../app/operations.ts';
import { go, pageAt } from '../app/place.ts';
import { accountHere } from '../app/session.ts';
import { Button } from '../parts/controls.tsx';
import { Card, type ListEntry, Note, Pill, Time, type Tone } from '../parts/display.tsx';
import { filterOf } from '../parts/filters.tsx';
import { share } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Page, Problem, Show, useAsked, useLoaded } from '../parts/page.tsx';
import { type Job, newJob } from './job.ts';
import { addFile } from './open-file.ts';
import { RemoveFile } from './remove-file.tsx';
import { files, unstored } from './store.ts';
import { bytesText, fileAt } from './words.ts';
import './files.css';

const STATES: Readonly<Record<Job['state'], readonly [Tone, string]>> = {
  draft: ['plain', 'Not run'],
  running: ['busy', 'Running'],
  paused: ['warn', 'Paused'],
  stopped: ['plain', 'Stopped'],
  done: ['good', 'Done'],
};
export const StatePill = ({ job }: { job: Job }) => {
  const [tone, words] = STATES[job.state];
  return (
    <Pill tone={tone} {...(job.state === 'stopped' && { icon: 'stop' })} {...(job.state === 'draft' && { icon: 'file' })} text={words} />
  );
};

const MAX_BYTES = 100_000_000;

/** Takes a file, by choosing, dropping or pasting. It is read here; nothing is sent. */
function Take() {
  const failed = useSignal<string | null>(null);
  const isOver = useSignal(false);
  const pasted = useSignal('');
  const chooser = useRef<HTMLInputElement>(null);
  useAsked('choose', () => {
    chooser.current?.focus();
    // browsers open it for a person alone
    if (navigator.userActivation?.isActive) chooser.current?.click();
  });
  const take = async (name: string, given: Promise<ArrayBuffer> | Uint8Array): Promise<void> => {
    failed.value = null;
    const bytes = given instanceof Uint8Array ? given : new Uint8Array(await given);
    const isTooLarge =
      bytes.length > MAX_BYTES && `${name} has ${bytesText(bytes.length)}: cut it into files of at most ${bytesText(MAX_BYTES)}.`;
    failed.value = isTooLarge || noText(bytes, name);
    if (failed.value !== null) return;
    const wanted = operationOf(filterOf('_op'))?.id ?? 'serp';
    // an id of the contract
    const job = newJob(accountHere(), name, bytes.length, wanted as OperationId, new Date().toISOString());
    try {
      await addFile(job, bytes);
      go(fileAt(job.id));
    } catch (error) {
      failed.value = `${name} could not be read: ${error instanceof Error ? error.message : error}`;
    }
  };
  const takeFile = (file: File | undefined): void => {
    if (file) void take(file.name, file.arrayBuffer());
  };
  return (
    <div class="file-take">
      <label
        class={isOver.value ? 'file-drop over' : 'file-drop'}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          takeFile(event.dataTransfer?.files[0]);
        }}
      >
        <Icon name="upload" large />
        <strong>Choose a file, or drop it here</strong>
        <span class="caption">CSV, NDJSON or a plain list with one line for each lookup</span>
        <input
          ref={chooser}
          type="file"
          aria-label="Choose a file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/*"
          onChange={(event) => takeFile(event.currentTarget.files?.[0])}
        />
      </label>
      <form
        class="file-paste"
        onSubmit={(event) => {
          event.preventDefault();
          if (pasted.value.trim() === '') failed.value = 'Paste one line at least.';
          else void take('Pasted lines', new TextEncoder().encode(pasted.value));
        }}
      >
        <label for="pasted-lines">Or paste lines</label>
        <textarea
          id="pasted-lines"
          rows={6}
          spellcheck={false}
          placeholder={'keyword;country\nrunning shoes;US\nlaufschuhe;Deutschland'}
          value={pasted.value}
          onInput={(event) => (pasted.value = event.currentTarget.value)}
        />
        <Button type="submit" text="Use these lines" />
      </form>
      <Problem words={failed.value} />
    </div>
  );
}

const WHY: Readonly<Record<string, string>> = {
  QuotaExceededError: 'its storage is full',
  NotAllowedError: 'it keeps nothing in this window',
};
/** Said before something would be lost. */
export function KeepNote() {
  const { value } = unstored;
  if (value === null) return null;
  return (
    <Note warn icon="warning">
      This browser keeps nothing more here ({WHY[value.why] ?? `it says ${value.why}`}), as in a private window: a reload or a closed tab
      would lose what is not downloaded.
    </Note>
  );
}

const rowOf = (job: Job, done: number, reload: () => void): ListEntry => ({
  id: job.id,
  icon: operationIcon(job.operation),
  first: job.name,
  href: fileAt(job.id),
  second: [
    `${operationName(job.operation)} · ${bytesText(job.bytes)} · `,
    <Time key="at" at={job.addedAt} />,
    job.begun && job.state !== 'done' ? ` · ${share(Math.floor((100 * done) / Math.max(1, job.begun.lookups)) / 100)}` : '',
  ],
  aside: (
    <>
      <StatePill job={job} />
      <RemoveFile job={job} done={reload} />
    </>
  ),
});

export function Files() {
  const { loaded, reload } = useLoaded(
    async () => Promise.all((await files.jobs(accountHere())).map(async (job) => ({ job, done: await files.count(job.id) }))),
    [],
  );
  return (
    <Page title="Files">
      <p class="caption">One lookup for each line of a file. It is read in this browser; nothing is sent before Run.</p>
      <KeepNote />
      <Take />
      <Show loaded={loaded}>
        {(jobs) => (
          <Card
            title="Kept in this browser"
            rows={jobs.map(({ job, done }) => rowOf(job, done, () => void reload()))}
            none="No file yet. What you give stays here, with its answers, until you remove it."
          />
        )}
      </Show>
      <p class="caption">
        On a machine that stays on: <code>npx sightline bulk serp keywords.csv</code>, <a href={pageAt('/console/keys')}>with a key</a>.
      </p>
    </Page>
  );
}
