import Negotiator from 'negotiator';
import type { UsageDay } from '../../accounts/types.ts';
import type { AccountUsage } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AccountHandler, Served } from './dependencies.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** `GET /v1/account/usage`: JSON, or CSV if `format` or `Accept` selects it. */
export const accountUsage: AccountHandler<'account-usage'> = async ({ accounts }, context, caller, input) => {
  const to = input.to ?? dayOf(context.at);
  const from = input.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw new ServiceError('INVALID_REQUEST', `Parameter from is "${from}", but it must not be after to, "${to}".`);
  if (days > MAX_DAYS) throw new ServiceError('INVALID_REQUEST', `From ${from} to ${to} are ${days} days: ask for ${MAX_DAYS} at most.`);
  const page = await accounts.usage(caller, { from, to, after: input.after ?? null, limit: input.limit });
  const asCsv = input.format === undefined ? prefersCsv(context.request.headers.accept) : input.format === 'csv';
  if (asCsv) return csv(page.entries, page.after && nextPage({ from, to, limit: String(input.limit), after: page.after, format: 'csv' }));
  const json: AccountUsage = { from, to, days: page.entries.map((d) => ({ ...d })), after: page.after, hasMore: page.after !== null };
  return { json };
};

/** Whether `Accept` (RFC 9110, 12.5.1) prefers text/csv. JSON where both are equal by a wildcard. */
export const prefersCsv = (accept: string | undefined): boolean =>
  accept !== undefined && new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/csv']) === 'text/csv';

const COLUMNS = ['day', 'operation', 'keyId', 'status', 'requests', 'credits'] as const satisfies readonly (keyof UsageDay)[];

/** RFC 4180. The values are days, ids and numbers: none needs quotes, none starts a formula. */
function csv(days: readonly UsageDay[], next: string | null): Served {
  const lines = [COLUMNS.join(','), ...days.map((d) => COLUMNS.map((c) => d[c]).join(','))];
  const headers = ['Content-Type', 'text/csv; charset=utf-8; header=present', 'Vary', 'Accept'];
  if (next) headers.push('Link', `<${next}>; rel="next"`);
  return { bytes: Buffer.from(`${lines.join('\r\n')}\r\n`), headers };
}
const nextPage = (query: Record<string, string>): string => `/v1/account/usage?${new URLSearchParams(query)}`;
