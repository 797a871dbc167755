import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../parts/controls.tsx';
import { Card, Note } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { Problem, useLoaded, wordsOf } from '../parts/page.tsx';
import { change, lookupsOf, type Offer, type OpenFile, offerOf } from './open-file.ts';
import type { Reading } from './reading.ts';
import { CONCURRENCY, start } from './runner.ts';
import { roomLeft } from './store.ts';
import { bytesText, linesText, timeText } from './words.ts';

/** What an answer takes, as long as none is known. */
const USUAL_ANSWER_BYTES = 12_000;

/** The credits that the whole file may cost; empty: what it says. */
export function Limit({ file, most }: { file: OpenFile; most: number | null }) {
  const { limit } = file.job.value;
  const set = (text: string): void => {
    const credits = /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : null;
    void change(file, { limit: credits });
  };
  return (
    <div class="file-limit">
      <label for="file-limit">Limit</label>
      <span class="toolbar">
        <input
          id="file-limit"
          type="text"
          inputMode="numeric"
          placeholder={most === null ? 'none' : String(most)}
          value={limit === null ? '' : String(limit)}
          onChange={(event) => set(event.currentTarget.value)}
        />
        <span class="caption">credits, then it stops</span>
      </span>
    </div>
  );
}

function facts({ lookups, twice, most, balance, cached }: Offer, bad: number): readonly (readonly [string, string])[] {
  const all = cached.of === lookups;
  return [
    ['Ready', linesText(lookups)],
    ...(twice > 0 ? [['Same line twice', `${number(twice)}, asked once`] as const] : []),
    ...(cached.of > 0
      ? [['Kept answers', all ? `${number(cached.count)}, free` : `${number(cached.count)} of ${number(cached.of)} tried, free`] as const]
      : []),
    ...(bad > 0 ? [['Left out', `${number(bad)}, free`] as const] : []),
    ['At most', plural(most, 'credit')],
    ['Balance after', `${number(Math.max(0, balance - most))} of ${number(balance)}`],
  ];
}

/** What the file costs before it is run. */
export function Price({ file, reading }: { file: OpenFile; reading: Reading }) {
  const offer = useSignal<Offer | null>(null);
  const failed = useSignal<string | null>(null);
  const ready = lookupsOf(reading).length;
  useEffect(() => {
    const ended = new AbortController();
    offer.value = null;
    failed.value = null;
    if (ready === 0) return;
    offerOf(reading, ended.signal, (told) => {
      if (!ended.signal.aborted) offer.value = told;
    }).catch((error: unknown) => {
      if (!ended.signal.aborted) failed.value = wordsOf(error);
    });
    return () => ended.abort();
  }, [reading]);
  const { value: room = null } = useLoaded(roomLeft, []);
  const needed = ready * USUAL_ANSWER_BYTES;
  const { value } = offer;
  const limit = file.job.value.limit ?? Number.POSITIVE_INFINITY;
  const most = value === null ? null : Math.min(value.most, limit);
  return (
    <aside class="stack file-price" aria-label="Price">
      {ready > 0 && value && <Card title="Price" inset facts={facts(value, reading.bad.length)} />}
      <Problem words={failed.value ?? file.job.value.obstacle?.words ?? null} />
      {value?.notes.map((note) => (
        <Note key={note} warn icon="warning">
          {note}
        </Note>
      ))}
      {value && value.most > value.balance && (
        <Note warn icon="coin">
          The balance does not cover all of it: the run pauses when it is used up, and goes on when there are credits.
        </Note>
      )}
      {room !== null && room < needed && (
        <Note warn icon="warning">
          The browser has {bytesText(room)} left for this site, and the answers may take {bytesText(needed)}. It pauses when that is full,
          and says so before anything is lost.
        </Note>
      )}
      {ready > 0 && (
        <Button
          class="primary file-run"
          icon="play"
          text={[
            `Run ${linesText(ready)}`,
            most !== null && (
              <span key="price" class="price">
                at most {plural(most, 'credit')}
              </span>
            ),
          ]}
          onClick={() => void start(file)}
        />
      )}
      {ready > 0 && (
        <p class="caption">
          {value?.atPaceMs ? `About ${timeText(value.atPaceMs)} at the pace of this account. ` : ''}
          It runs in this page through the API, {CONCURRENCY} lines at a time: close it and it waits; open it and it goes on where it
          stopped.
        </p>
      )}
      {ready > 0 && <Limit file={file} most={value?.most ?? null} />}
    </aside>
  );
}
