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
import { monthOf, OFTEN, PriceBox, roundOf } from './price.tsx';
import type { Ranked } from './read.ts';
import { DEPTHS, PLACE, type Place, placeInWords, sameBefore, usualOf, usualPlace, Where, watchedApps, watchedIn } from './where.tsx';

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
/** Credits of a check by depth. */
async function pricesOf(ranked: Ranked, depths: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const priceOf = async (depth: string) => {
    const query = { operation: OPERATIONS[ranked], keyword: 'keyword', ...(ranked === 'sites' && { depth }) };
    const { price }: AccountPrice = await api('/v1/account/price', { query, signal });
    return [depth, price] as const;
  };
  return new Map(await Promise.all([...depths].map(priceOf)));
}
const [LEAST = '10'] = DEPTHS;

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
  const places = useSignal<readonly Place[]>([usualPlace()]);
  const every = useSignal<Every>('1d');
  const tag = useSignal('');
  const isChecked = useSignal(true);
  const progress = useSignal<Progress | null>(null);
  const failed = useSignal<string | null>(null);
  const isOver = useSignal(false);
  const ended = useRef(new AbortController());
  useEffect(() => () => ended.current.abort(), []);
  const account = useLoaded(readAll, []);
  const depths = new Set([...places.value.map(({ depth }) => depth), LEAST]);
  const prices = useLoaded((signal) => pricesOf(ranked, depths, signal), [ranked, [...depths].sort().join()]);
  const operation = OPERATIONS[ranked];
  const watches = account.value?.watches ?? [];
  const most = MOST_CHARACTERS[ranked];
  const reads = places.value.map((place) => ({
    place,
    name: placeInWords(place),
    read: readLines(text.value, ranked === 'apps' ? watchedApps(watches) : watchedIn(watches, place), most),
  }));
  const isSeveral = reads.length > 1;
  const count = reads.reduce((sum, { read }) => sum + read.fresh.length, 0);
  const checks = reads.flatMap(({ place, name, read }) => {
    const price = prices.value?.get(place.depth);
    return price === undefined ? [] : [{ place: name, count: read.fresh.length, price }];
  });
  const leastPrice = prices.value?.get(LEAST);
  const cost = leastPrice === undefined || checks.length < reads.length ? null : { checks, leastPrice, every: every.value };
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
    if (!cost || !account.value || places.value.some((_, index) => sameBefore(places.value, index) >= 0)) return;
    if (count === 0) {
      failed.value = 'There is no new keyword in the list.';
      return;
    }
    if (count > account.value.left) {
      failed.value = `The account may have ${plural(account.value.left, 'more watch', 'more watches')}: ${number(count)} are too many. Nothing was made.`;
      return;
    }
    const named = tag.value
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
    const keywords = reads.flatMap(({ place, name, read }, index) => {
      const given =
        ranked === 'apps' ? {} : Object.fromEntries(PLACE.flatMap((each) => (place[each] === usualOf(each) ? [] : [[each, place[each]]])));
      const creditsPerMonth = Math.max(1, monthOf([{ count: 1, price: checks[index]?.price ?? 0 }], cost.every));
      return read.fresh.map(({ line, keyword }) => ({
        line,
        keyword: isSeveral ? `${keyword} in ${name}` : keyword,
        body: {
          operation,
          parameters: { keyword, ...given },
          every: cost.every,
          creditsPerMonth,
          ...(named.length > 0 && { tags: named }),
        },
      }));
    });
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
                  {text.value.trim() === ''
                    ? 'Nothing yet.'
                    : reads.map(({ name, read }) => `${isSeveral ? `${name}: ` : ''}${linesInWords(read, most)}`).join(' ')}
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
                    {file.value.columns.map((name, index) => (
                      <option key={`${index} ${name}`} value={index}>
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
              {ranked === 'sites' && <Where places={places.value} set={(to) => (places.value = to)} />}
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
                  text={`First check now, ${plural(roundOf(checks), 'credit')}`}
                  isOn={isChecked.value}
                  set={(isOn) => (isChecked.value = isOn)}
                />
              )}
            </div>
          </div>
          <Problem words={problem} />
          <div class="actions ends">
            <Button class="quiet" text="Cancel" onClick={close} />
            <button type="submit" class="primary">
              <span>{isSeveral ? `Make ${plural(count, 'watch', 'watches')}` : `Watch ${plural(count, 'keyword')}`}</span>
              <span class="price-of">{cost ? `at most ${number(monthOf(checks, cost.every))} a month` : '…'}</span>
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
