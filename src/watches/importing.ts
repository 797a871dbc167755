import { demandLookup } from '../accounts/rights.ts';
import type { Caller } from '../accounts/types.ts';
import { EVERY_MS } from '../contract/account/constants.ts';
import { readWatchList } from '../contract/account/watch-input.ts';
import type { WatchImport } from '../contract/account/watch-list-schemas.ts';
import type { Watch } from '../contract/account/watch-schemas.ts';
import { invalid, ServiceError } from '../contract/errors.ts';
import { InputFault } from '../contract/lists/fault.ts';
import { readInput } from '../contract/lists/input.ts';
import { tooMany, watchesOf } from '../contract/lists/watch-list.ts';
import type { Operation } from '../contract/operations/index.ts';
import type { EditingParts } from './editing.ts';
import { countOf } from './limit.ts';
import { costOf } from './view.ts';

const [MOST_SAID, MOST_TEXT] = [10, 200];
type LeftOut = WatchImport['leftOut'][number];

async function readLines(given: string, operation: Operation) {
  const lines = given.split('\n');
  const textOf = (line: number): string => (lines[line - 1] ?? '').trim().slice(0, MOST_TEXT);
  const bad: LeftOut[] = [];
  const unreadable = (line: number, why: string) => void bad.push({ line, text: textOf(line), why, reason: 'unreadable' });
  const plan = await readInput(given, { name: '', operation }, unreadable).catch((error: unknown) => {
    throw error instanceof InputFault ? invalid(`Field lines: ${error.message}`) : error;
  });
  return { plan, bad, textOf };
}

/** What makes the watches of a list. `create`: of one body. */
export function createImporting(
  { store: { db }, settings }: Pick<EditingParts, 'store' | 'settings'>,
  create: (caller: Caller, body: unknown) => Promise<Watch>,
) {
  /** What the account watches of the operation. */
  async function watchedOf({ accountId }: Caller, { id }: Operation) {
    const rows = await db
      .selectFrom('watches')
      .select(['id', 'parameters'])
      .where('account_id', '=', accountId)
      .where('operation', '=', id)
      .execute();
    return rows.map((row) => ({ operation: id, watchId: row.id, parameters: JSON.parse(row.parameters) as Record<string, string> }));
  }

  return {
    /** Says which watches a list makes and what they cost, and makes them where it is asked to. */
    async import(caller: Caller, body: unknown): Promise<WatchImport> {
      const { lines, make, skipInvalid, operation, settings: each } = readWatchList(body);
      demandLookup(caller, operation.id, 'account-watch-import');
      const { plan, bad, textOf } = await readLines(lines, operation);
      const { planned, leftOut } = watchesOf(plan, operation, await watchedOf(caller, operation));
      const beyond = tooMany(planned.length, {
        most: settings.SIGHTLINE_WATCHES_PER_ACCOUNT,
        total: await countOf(db, caller.accountId),
      });
      if (beyond !== null) throw invalid(beyond);
      const due = each.due ? JSON.stringify(each.due) : null;
      const watches = planned.map(({ line, parameters }) => {
        const given = { operation: operation.id, parameters: JSON.stringify(parameters), every_ms: EVERY_MS[each.every], due };
        const { price, month } = costOf(settings, given);
        const { creditsPerMonth = Math.max(1, month) } = each;
        if (creditsPerMonth < price)
          throw invalid(`Field creditsPerMonth is ${creditsPerMonth}, but a check of line ${line} costs ${price}. Nothing was made.`);
        return { line, parameters, costPerMonth: month, creditsPerMonth };
      });
      if (make && bad.length > 0 && !skipInvalid) {
        const said = bad.slice(0, MOST_SAID).map(({ line, why }) => `line ${line}: ${why}`);
        const more = bad.length > MOST_SAID ? ` And ${bad.length - MOST_SAID} more.` : '';
        throw invalid(
          `Field lines has some that cannot be read: ${said.join(' ')}${more} Nothing was made: correct them, or set skipInvalid.`,
        );
      }
      const made: string[] = [];
      for (const { line, parameters, creditsPerMonth } of make ? watches : [])
        try {
          made.push((await create(caller, { ...each, operation: operation.id, parameters, creditsPerMonth })).watchId);
        } catch (error) {
          if (made.length === 0 || !(error instanceof ServiceError)) throw error;
          throw invalid(`Line ${line}: ${error.message} ${made.length} watches were made; the same list makes the others.`);
        }
      const sum = (of: (one: (typeof watches)[number]) => number): number => watches.reduce((all, one) => all + of(one), 0);
      return {
        watches: watches.map(({ creditsPerMonth: _, ...one }, i) => ({ ...one, watchId: made[i] ?? null })),
        leftOut: [...bad, ...leftOut.map((one) => ({ ...one, text: textOf(one.line) }))].sort((a, b) => a.line - b.line),
        made: make,
        costPerMonth: sum(({ costPerMonth }) => costPerMonth),
        creditsPerMonth: sum(({ creditsPerMonth }) => creditsPerMonth),
      };
    },
  };
}
