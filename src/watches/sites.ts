import { writeAudit } from '../accounts/admin/audit.ts';
import type { Caller } from '../accounts/types.ts';
import { MOST_RIVALS } from '../contract/account/constants.ts';
import type { AccountApps, AccountSites } from '../contract/account/ranking-schemas.ts';
import { demandKnownFields } from '../contract/body-fields.ts';
import { invalid } from '../contract/errors.ts';
import { isObject } from '../contract/json-object.ts';
import { appHandle } from '../contract/parameters/app-handle.ts';
import { readDomain } from '../contract/parameters/domain-name.ts';
import type { ScheduleParts } from './schedule.ts';
import { actorOfCaller } from './watch-audit.ts';

type Read = (text: string) => { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: string };
interface Kind {
  readonly one: string;
  readonly many: string;
  readonly example: string;
  readonly read: Read;
}
const SITE: Kind = { one: 'site', many: 'domains', example: 'example.com', read: readDomain({ privateRegistries: true }) };
const APP: Kind = { one: 'app', many: 'handles', example: 'acme-reviews', read: appHandle.read };

/** Reads an own name and its rivals; `field`: the path of the object that has them. */
function readCompared(value: Readonly<Record<string, unknown>>, field: string, { one, many, example, read }: Kind): AccountApps {
  const nameIn = (given: unknown, field: string): string => {
    const result = typeof given === 'string' ? read(given) : ({ ok: false, why: `must be a ${many.slice(0, -1)}` } as const);
    if (!result.ok) throw invalid(`Field ${field} is ${JSON.stringify(given) ?? 'missing'}, but it ${result.why}, such as ${example}.`);
    return result.value;
  };
  const { own, rivals = [] } = value;
  if (!Array.isArray(rivals) || rivals.length > MOST_RIVALS)
    throw invalid(
      `Field ${field}rivals is ${JSON.stringify(rivals).slice(0, 80)}, but it must be a list of at most ${MOST_RIVALS} ${many}.`,
    );
  const found = {
    own: own === null ? null : nameIn(own, `${field}own`),
    rivals: rivals.map((rival: unknown, i) => nameIn(rival, `${field}rivals/${i}`)),
  };
  const all = [found.own, ...found.rivals];
  const twice = all.find((name, i) => name !== null && all.indexOf(name) !== i);
  if (twice) throw invalid(`Field ${field}rivals names ${twice} twice: name each ${one} once.`);
  return found;
}

/** Reads the body of `PUT /v1/account/sites`; `apps`: undefined where it is left out. Throws INVALID_REQUEST. */
function readSites(body: unknown): Omit<AccountSites, 'apps'> & { readonly apps: AccountApps | undefined } {
  if (!isObject(body)) throw invalid('The body must be {"own": "example.com", "rivals": ["example.org"]}.');
  demandKnownFields(body, ['own', 'rivals', 'apps']);
  const { apps } = body;
  if (apps !== undefined && !isObject(apps))
    throw invalid(`Field apps is ${JSON.stringify(apps).slice(0, 80)}, but it must be {"own": "acme-reviews", "rivals": []}.`);
  if (apps) demandKnownFields(apps, ['own', 'rivals'], 'apps/');
  return { ...readCompared(body, '', SITE), apps: apps && readCompared(apps, 'apps/', APP) };
}

const NO_APPS: AccountApps = { own: null, rivals: [] };

/** The sites and apps that an account compares. */
export function createSites({ store, now }: Pick<ScheduleParts, 'store' | 'now'>) {
  const { db } = store;
  async function read({ accountId }: Caller): Promise<AccountSites> {
    const row = await db.selectFrom('account_sites').selectAll().where('account_id', '=', accountId).executeTakeFirst();
    return {
      own: row?.own ?? null,
      rivals: row ? (JSON.parse(row.rivals) as string[]) : [],
      apps: row?.apps == null ? NO_APPS : (JSON.parse(row.apps) as AccountApps),
    };
  }
  return {
    read,
    async set(caller: Caller, body: unknown): Promise<AccountSites> {
      const { own, rivals, apps } = readSites(body);
      const setAt = await now();
      const values = { own, rivals: JSON.stringify(rivals), set_at: setAt, ...(apps && { apps: JSON.stringify(apps) }) };
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('account_sites')
          .values({ account_id: caller.accountId, ...values })
          .onConflict((c) => c.column('account_id').doUpdateSet(values))
          .execute();
        await writeAudit(trx, setAt, {
          actor: actorOfCaller(caller),
          action: 'sites.set',
          subject: caller.accountId,
          facts: { own, rivals, ...(apps && { apps }) },
        });
      });
      return read(caller);
    },
  };
}
