import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Every } from '../../contract/account/constants.ts';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import type { Watch, Watches } from '../../contract/account/watch-schemas.ts';
import { api } from '../app/session.ts';
import { Button, Check, Choices, Dialog } from '../parts/controls.tsx';
import { number, plural } from '../parts/format.ts';
import { Problem, useLoaded, wordsOf } from '../parts/page.tsx';
import { decoded, linesInWords, MOST_CHARACTERS, type ReadFile, readFile, readLines } from './keyword-lines.ts';
import { makeWatches, type Progress } from './make-watches.ts';
import { Making } from './making.tsx';
import { monthOf, OFTEN, PriceBox } from './price.tsx';
import type { Ranked } from './read.ts';
import { DEPTHS, PLACE, type Place, usualOf, Where, watchedApps, watchedIn } from './where.tsx';

/** All watches of the account, and how many it may have. */
async function readAll(signal: AbortSignal) {
  const watches: Watch[] = [];
  for (let after: string | undefined; ; ) {
    const page: Watches = await api('/v1/account/watches', { query: { limit: 1000, after }, signal });
    watches.push(...page.watches);
    if (!page.hasMore || page.after === null) return { watches, left: page.most - page.total };
    after = page.after;
  }
}
const OPERATIONS = { sites: 'serp', apps: 'app-keywords' } as const satisfies Readonly<Record<Ranked, string>>;
const creditsOf = (ranked: Ranked, depth: string, signal: AbortSignal): Promise<AccountPrice> =>
  api('/v1/account/price', { query: { operation: OPERATIONS[ranked], keyword: 'keyword', ...(ranked === 'sites' && { depth }) }, signal });

interface AddKeywordsProps {
  readonly ranked: Ranked;
  /** Tags that are in use. */
  readonly tags: readonly string[];
  readonly close: () => void;
  readonly done: () => void;
}

/** Keywords from a list or a file: what is twice or known, the price of a month, and the watches in one go. */
export function AddKeywords({ ranked, tags, close, done }: AddKeywordsProps) {
  const text = useSignal('');
  const file = useSignal<(ReadFile & { readonly name: string; readonly column: number }) | null>(null);
  const place = useSignal<Place>({ ...(Object.fromEntries(PLACE.map((name) => [name, usualOf(name)])) as Place), depth: '20' });
  const every = useSignal<Every>('1d');
  const tag = useSignal('');
  const isChecked = useSignal(true);
  const progress = useSignal<Progress | null>(null);
  const failed = useSignal<string | null>(null);
  const isOver = useSignal(false);
  const ended = useRef(new AbortController());
  useEffect(() => () => ended.current.abort(), []);
  const account = useLoaded(readAll, []);
  const { depth } = place.value;
  const prices = useLoaded(
    (signal) => Promise.all([creditsOf(ranked, depth, signal), creditsOf(ranked, DEPTHS[0] ?? '10', signal)]),
    [ranked, depth],
  );
  const operation = OPERATIONS[ranked];
  const watches = account.value?.watches ?? [];
  const read = readLines(text.value, ranked === 'apps' ? watchedApps(watches) : watchedIn(watches, place.value), MOST_CHARACTERS[ranked]);
  const count = read.fresh.length;
  const [price, least] = prices.value?.map((one) => one.price) ?? [];
  const cost = price === undefined || least === undefined ? null : { count, price, leastPrice: least, every: every.value };
  const problem = account.loaded.failed ?? prices.loaded.failed ?? failed.value;

  const choose = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    const found = readFile(decoded(new Uint8Array(await chosen.arrayBuffer())), /\.(?:csv|tsv|tab)$/i.test(chosen.name));
    file.value = { ...found, name: chosen.name, column: found.guess };
    text.value = found.textOf(found.guess);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    failed.value = null;
    if (!cost || !account.value) return;
    if (count === 0) {
      failed.value = 'There is no new keyword in the list.';
      return;
    }
    if (count > account.value.left) {
      failed.value = `The account may have ${plural(account.value.left, 'more watch', 'more watches')}: ${number(count)} are too many. Nothing was made.`;
      return;
    }
    const given =
      ranked === 'apps'
        ? {}
        : Object.fromEntries(PLACE.flatMap((name) => (place.value[name] === usualOf(name) ? [] : [[name, place.value[name]]])));
    const named = tag.value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    const creditsPerMonth = Math.max(1, monthOf({ count: 1, price: cost.price }, cost.every));
    const keywords = read.fresh.map(({ line, keyword }) => ({
      line,
      keyword,
      body: {
        operation,
        parameters: { keyword, ...given },
        every: cost.every,
        creditsPerMonth,
        ...(named.length > 0 && { tags: named }),
      },
    }));
    try {
      await makeWatches(keywords, {
        isChecked: isChecked.value,
        said: (now) => {
          progress.value = now;
        },
        signal: ended.current.signal,
      });
      isOver.value = true;
    } catch (error) {
      failed.value = wordsOf(error);
    }
  };
  const leave = progress.value === null ? close : done;
  return (
    <Dialog title="Add keywords" onClose={leave}>
      {progress.value ? (
        <Making of={progress.value} count={count} isChecked={isChecked.value} isOver={isOver.value} leave={leave} />
      ) : (
        <form class="add-keywords" onSubmit={(e) => void submit(e)}>
          <div class="halves">
            <div class="stack">
              <div class="field">
                <label for="keywords">Keywords, one a line, or a file</label>
                <textarea
                  id="keywords"
                  rows={9}
                  spellcheck={false}
                  value={text.value}
                  aria-describedby="keywords-read"
                  onInput={(e) => (text.value = e.currentTarget.value)}
                />
                <p id="keywords-read" class="about" role="status">
                  {text.value.trim() === '' ? 'Nothing yet.' : linesInWords(read, MOST_CHARACTERS[ranked])}
                </p>
              </div>
              <div class="field">
                <label for="keyword-file">File: a list, or CSV</label>
                <input
                  id="keyword-file"
                  type="file"
                  accept=".txt,.csv,.tsv,.tab,text/plain,text/csv"
                  onChange={(e) => void choose(e.currentTarget.files?.[0])}
                />
              </div>
              {file.value && file.value.columns.length > 1 && (
                <div class="field">
                  <label for="keyword-column">Column</label>
                  <select
                    id="keyword-column"
                    value={String(file.value.column)}
                    onChange={(e) => {
                      if (!file.value) return;
                      file.value = { ...file.value, column: Number(e.currentTarget.value) };
                      text.value = file.value.textOf(file.value.column);
                    }}
                  >
                    {file.value.columns.map((name, at) => (
                      <option key={`${at} ${name}`} value={at}>
                        {name}
                      </option>
                    ))}
                  </select>
                </div>
              )}
              <div class="field">
                <label for="keyword-tags">Tags</label>
                <input
                  id="keyword-tags"
                  value={tag.value}
                  autocomplete="off"
                  placeholder={tags.length > 0 ? tags.slice(0, 3).join(', ') : 'optional, separated by commas'}
                  onInput={(e) => (tag.value = e.currentTarget.value)}
                />
              </div>
            </div>
            <div class="stack">
              {ranked === 'sites' && <Where place={place.value} set={(to) => (place.value = to)} />}
              <div class="field">
                <span class="caption">How often</span>
                <Choices
                  legend="How often"
                  choices={OFTEN}
                  value={every.value as (typeof OFTEN)[number][0]}
                  choose={(id) => (every.value = id)}
                />
              </div>
              {cost && <PriceBox {...cost} />}
              {cost && (
                <Check
                  text={`First check now, ${plural(cost.count * cost.price, 'credit')}`}
                  isOn={isChecked.value}
                  set={(isOn) => (isChecked.value = isOn)}
                />
              )}
            </div>
          </div>
          <Problem words={problem} />
          <div class="actions ends">
            <Button text="Cancel" onClick={close} />
            <button type="submit" class="primary">
              <span>Watch {plural(count, 'keyword')}</span>
              <span class="price-of">{cost ? `at most ${number(monthOf(cost, cost.every))} a month` : '…'}</span>
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
