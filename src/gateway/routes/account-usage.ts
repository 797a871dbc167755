import type { Caller, UsageDay } from '../../accounts/types.ts';
import { isUsageCursor } from '../../accounts/usage/usage.ts';
import type { AccountUsage } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import { bad, good, optional, type Parameter, type Read, readOneOf } from '../../contract/parameters/parameter.ts';
import type { RequestContext } from '../http/request-context.ts';
import { inputOf, type Pairs, pageParameters, type Served } from './account-route.ts';
import type { RouteDependencies } from './dependencies.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A day of the calendar, UTC. */
function readDay(text: string): Read<string> {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && dayOf(ms) === text ? good(text) : bad('must be a day, such as 2026-01-31');
}
const day = (name: string, example: string): Parameter =>
  optional({ name, description: 'Day, UTC.', example, schema: { type: 'string' }, read: readDay });

const FORMATS = ['json', 'csv'] as const;
const PARAMETERS: readonly Parameter[] = [
  day('from', '2026-01-01'),
  day('to', '2026-01-31'),
  ...pageParameters(10_000, 1000, isUsageCursor),
  optional({ name: 'format', description: 'json or csv.', example: 'csv', schema: { type: 'string' }, read: readOneOf(FORMATS) }),
];

/** `GET /v1/account/usage`: JSON, or CSV where `format` or `Accept` asks for it. */
export async function accountUsage(
  { accounts }: RouteDependencies,
  context: RequestContext,
  caller: Caller,
  given: Pairs,
): Promise<Served> {
  const input = inputOf(PARAMETERS, given) as { from?: string; to?: string; after?: string; limit: number; format?: string };
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
}

/** Whether `Accept` (RFC 9110, 12.5.1) puts text/csv above JSON. */
export function prefersCsv(accept: string | undefined): boolean {
  if (!accept?.toLowerCase().includes('csv')) return false;
  const weights = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((range): [string, number] => {
        const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
        const q = parameters.find((p) => p.startsWith('q='));
        return [type, q === undefined ? 1 : Number(q.slice(2)) || 0];
      }),
  );
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return (weights.get('text/csv') ?? 0) > 0 && (weights.get('text/csv') ?? 0) >= json;
}

const COLUMNS = ['day', 'operation', 'keyId', 'status', 'requests', 'credits'] as const satisfies readonly (keyof UsageDay)[];

/** RFC 4180. The values are days, ids and numbers of ours: none needs quotes, none begins a formula. */
function csv(days: readonly UsageDay[], next: string | null): Served {
  const lines = [COLUMNS.join(','), ...days.map((d) => COLUMNS.map((c) => d[c]).join(','))];
  const headers = ['Content-Type', 'text/csv; charset=utf-8; header=present', 'Vary', 'Accept'];
  if (next) headers.push('Link', `<${next}>; rel="next"`);
  return { bytes: Buffer.from(`${lines.join('\r\n')}\r\n`), headers };
}
const nextPage = (query: Record<string, string>): string => `/v1/account/usage?${new URLSearchParams(query)}`;
