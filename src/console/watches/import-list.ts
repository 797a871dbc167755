import type { Watches } from '../../contract/account/watch-schemas.ts';
import { watchesOf } from '../../contract/lists/watch-list.ts';
import { type Reading, readFile } from '../files/reading.ts';

export const OPERATION = 'registration';
/** As the service takes them. */
const [MOST_TAGS, MOST_TAG] = [10, 40];
const TAGS = /^(?:tags?|labels?|groups?|gruppe|kunde|customer|client|projekt|project)$/i;

/** A list as it is read now: which watches it makes, and which lines it does not take. */
export interface ReadList {
  readonly reading: Reading;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly planned: ReturnType<typeof watchesOf>['planned'];
  readonly leftOut: readonly { readonly line: number; readonly text: string; readonly why: string }[];
  /** Column of the tags; -1: none. */
  readonly tags: number;
}

export async function readList(
  name: string,
  bytes: Uint8Array,
  account: Watches,
  column: number | null,
  tags: number | null,
): Promise<ReadList> {
  const job = { name, operation: OPERATION, repairs: [], languageOfCountry: false } as const;
  let reading = await readFile(bytes, { ...job, chosen: {} });
  const { names } = reading.guess;
  if (column !== null)
    reading = await readFile(bytes, { ...job, chosen: { holds: names.map((_, index) => (index === column ? 'domain' : null)) } });
  const { planned, leftOut } = watchesOf(reading.plan, reading.operation, account.watches);
  const all = [...reading.bad, ...leftOut].map(({ line, why }) => ({ line, why, text: reading.fieldsOf(line).join(', ') }));
  const guessed = names.findIndex((one) => TAGS.test(one.trim()));
  return { reading, name, bytes, planned, leftOut: all.sort((a, b) => a.line - b.line), tags: tags ?? guessed };
}

export const tagsIn = ({ reading, tags }: ReadList, line: number): readonly string[] =>
  tags < 0
    ? []
    : [...new Set((reading.fieldsOf(line)[tags] ?? '').split(/[;,|]/).map((one) => one.trim().slice(0, MOST_TAG)))]
        .filter(Boolean)
        .slice(0, MOST_TAGS);
