import { useEffect } from 'preact/hooks';
import { credits, readCredits } from '../app/session.ts';
import { Button, Status } from '../parts/controls.tsx';
import { Card, Meter, Note, Pill } from '../parts/display.tsx';
import { clock, number, plural, share } from '../parts/format.ts';
import { useNow } from '../parts/page.tsx';
import { Stats } from '../parts/stats.tsx';
import { DataTable } from '../parts/table.tsx';
import { AskedAgain } from './asked-again.tsx';
import { downloadResult } from './downloads.ts';
import { type Fact, tally } from './job.ts';
import { change, lookupsOf, type OpenFile, refresh } from './open-file.ts';
import { Limit } from './price.tsx';
import type { Reading } from './reading.ts';
import { CONCURRENCY, start } from './runner.ts';
import { files, unstored } from './store.ts';
import { clockTime, linesText, paceOf, tenthText, timeText } from './words.ts';

const LAST = 5;
const ELSEWHERE_MS = 2_000;
/** How often the balance is read where it is used up. */
const BALANCE_MS = 2_000;

/** Of the lines that are asked the part that is done. */
export function shareOf(file: OpenFile): number {
  const reading = file.reading.peek();
  const lines = reading ? lookupsOf(reading).length : 0;
  return lines === 0 ? 0 : Math.floor((file.facts.size / lines) * 100) / 100;
}

export function RunningActions({ file }: { file: OpenFile }) {
  if (file.isElsewhere.value) return null;
  const isRunning = file.job.value.state === 'running';
  const stop = (as: 'paused' | 'stopped'): void => {
    if (file.stop) file.stop(as);
    else void change(file, { state: as });
  };
  return (
    <>
      <Button class="quiet" icon="stop" text="Stop" onClick={() => stop('stopped')} />
      {isRunning ? <Button icon="pause" text="Pause" onClick={() => stop('paused')} /> : <GoOn file={file} />}
    </>
  );
}

function GoOn({ file }: { file: OpenFile }) {
  const isPoor = file.job.value.obstacle?.kind === 'credits' && credits.value !== null;
  const words = isPoor ? `Go on with ${plural(credits.value ?? 0, 'credit')}` : 'Go on';
  return <Button class="primary" icon="play" text={words} onClick={() => void start(file)} />;
}

/** How far it is, how fast, and until when. */
function Progress({ file, reading }: { file: OpenFile; reading: Reading }) {
  const now = useNow(1_000);
  const lines = lookupsOf(reading).length;
  const done = file.facts.size;
  const { begunMs, answered } = file.pace;
  const isRunning = file.job.value.state === 'running' && !file.isElsewhere.value;
  const pace = isRunning && file.wait.value === null ? paceOf({ answered, elapsedMs: now - begunMs, left: lines - done }) : null;
  return (
    <section class="card file-progress" aria-label="Progress">
      <p class="lead">
        <span>
          <strong class="file-figure">{number(done)}</strong> of {linesText(lines)}
        </span>
        {pace && (
          <span>
            <strong>{timeText(pace.leftMs)}</strong> left, until about {clockTime(now + pace.leftMs, now)}
          </span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label="Lines done"
        aria-valuemin={0}
        aria-valuemax={lines}
        aria-valuenow={done}
        aria-valuetext={share(shareOf(file))}
      >
        <Meter share={lines === 0 ? 0 : done / lines} />
      </div>
      <p class="lead caption">
        <span>{share(shareOf(file))}</span>
        <span>
          {pace
            ? `${plural(Math.round(pace.perMinute), 'line')} a minute, ${CONCURRENCY} at a time`
            : isRunning && file.wait.value === null && 'time left: after the first 20 lines'}
        </span>
      </p>
      <Status words={tenthText(done, lines)} />
    </section>
  );
}

/** Why nothing is asked now: a wait with its clock, another tab, or what somebody has to decide. */
function Standing({ file }: { file: OpenFile }) {
  const now = useNow(1_000);
  const wait = file.wait.value;
  const { obstacle } = file.job.value;
  if (file.isElsewhere.value)
    return (
      <Note icon="info">
        Another tab of this browser runs this file. This one shows how far it is, and goes on with it when that tab is closed.
      </Note>
    );
  if (wait && wait.untilMs > now)
    return (
      <Note icon="clock">
        Waits until {clockTime(wait.untilMs, now)} ({clock(Math.ceil((wait.untilMs - now) / 1000))} min), then goes on by itself:{' '}
        {wait.words}
      </Note>
    );
  if (unstored.value !== null && unstored.value.count > 0 && file.job.value.state !== 'running')
    return (
      <div class="note warn">
        <p>
          {plural(unstored.value.count, 'answer is', 'answers are')} in this page alone. Download what there is, remove files that you no
          longer need, then try to keep them; or go on without keeping more.
        </p>
        <p class="actions">
          <Button text="Try to keep them" onClick={() => void files.storeHeld()} />
        </p>
      </div>
    );
  if (!obstacle) return null;
  const title = {
    credits: 'The balance is used up. Go on when there are credits; nothing is lost.',
    limit: 'The limit of this file is reached. Raise it to go on.',
    refused: 'The service refuses further lines.',
    unanswered: 'Nothing was answered for a while. Go on when the service can be reached.',
  }[obstacle.kind];
  return (
    <Note warn icon={obstacle.kind === 'credits' ? 'coin' : 'warning'}>
      {title} ({obstacle.words})
    </Note>
  );
}

const answerText = ({ ok, brief, message, cache, code }: Fact): string => {
  if (!ok) return code === 'NOT_FOUND' ? 'not found' : (message ?? 'no answer');
  const what = brief ?? 'answered';
  return cache === 'hit' || cache === 'stale' ? what.concat(', kept') : what;
};
export const FactPill = ({ fact: { ok, status, code } }: { fact: Fact }) => {
  const tone = ok ? 'good' : code === 'NOT_FOUND' ? 'plain' : 'warn';
  return <Pill tone={tone} text={status ?? 'no answer'} />;
};

/** The last answers, newest first. */
function LastAnswers({ file, reading }: { file: OpenFile; reading: Reading }) {
  const last = [...file.facts.values()].slice(-LAST).reverse();
  const asked = reading.plan.columns.filter((name) => reading.holds.includes(name)).slice(0, 2);
  const inputOf = (line: number, name: string): string => {
    const lookup = reading.plan.inputOfLine(line);
    return lookup ? (reading.plan.textsOf(lookup)[name] ?? '') : '';
  };
  return (
    <Card
      title="Last answers"
      aside={
        <Button
          class="quiet"
          icon="download"
          text="Download so far"
          onClick={() => void downloadResult(file, reading, 'ndjson', 'lookups')}
        />
      }
    >
      <DataTable
        caption="Last answers"
        class="stacked"
        none="No answer yet."
        rows={last}
        columns={[
          ...asked.map((name, index) => ({
            name,
            isHead: index === 0,
            of: (fact: Fact) => <span class="file-text">{inputOf(fact.line, name)}</span>,
          })),
          { name: 'Status', of: (fact) => <FactPill fact={fact} /> },
          { name: 'Answer', of: (fact) => <span class="file-text">{answerText(fact)}</span> },
          { name: 'Credits', as: 'number', value: (fact) => fact.credits },
          { name: 'Line', as: 'number', value: (fact) => fact.line },
        ]}
      />
    </Card>
  );
}

export function RunningView({ file, reading }: { file: OpenFile; reading: Reading }) {
  const job = file.job.value;
  const { begun } = job;
  const sum = tally(file.facts.values());
  const isElsewhere = file.isElsewhere.value;
  useEffect(() => {
    if (!isElsewhere) return;
    const timer = setInterval(() => void refresh(file), ELSEWHERE_MS);
    return () => clearInterval(timer);
  }, [isElsewhere]);
  const spends = job.state === 'running' || job.obstacle?.kind === 'credits';
  useEffect(() => {
    if (!spends) return;
    const timer = setInterval(() => void readCredits(), BALANCE_MS);
    return () => clearInterval(timer);
  }, [spends]);
  const left = credits.value;
  return (
    <div class="stack">
      <Standing file={file} />
      <Progress file={file} reading={reading} />
      <Stats
        stats={[
          ['Answered', number(sum.answered), `${number(sum.cached)} from the cache`],
          ['Not found', number(sum.notFound), 'free'],
          ['Failed', number(sum.failed), 'free'],
          ['Charged', number(sum.credits), begun && `of at most ${number(begun.most)}`],
          left !== null && ['Balance', number(left), begun?.balance != null && `${number(begun.balance)} before`],
        ]}
      />
      <AskedAgain file={file} />
      <div class="columns">
        <LastAnswers file={file} reading={reading} />
        <aside class="stack" aria-label="About this run">
          <Card title="If you leave" inset>
            <p>
              This page asks line by line. Closed, it pauses; the answers so far lie in this browser. Opened again, it goes on where it
              stopped. No line that has its answer is asked again.
            </p>
          </Card>
          {job.state === 'paused' && <Limit file={file} most={begun?.most ?? null} />}
          <Card title="Without a browser" inset>
            <code class="long">
              npx sightline bulk {job.operation} {/\s/.test(job.name) ? `"${job.name}"` : job.name}
            </code>
            <p class="caption">the same file, the same result, on a machine that stays on</p>
          </Card>
        </aside>
      </div>
    </div>
  );
}
