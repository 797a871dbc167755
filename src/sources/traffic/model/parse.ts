import type { TrafficEstimate } from '../../../contract/operations/traffic.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { absent, changed, found, type Outcome, refused } from '../../outcome.ts';
import { isObject } from '../../untyped-json.ts';
import { jsonObjectOf } from '../json-answer.ts';
import { estimateOf } from './estimate.ts';

const WHO = 'The rank list (Tranco)';
const day = (value: unknown): string | null =>
  typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])-\d\d(?:$|[T ])/.test(value) ? value.slice(0, 10) : null;

/**
 * Parses Tranco's answer for a domain, `{domain, ranks: [{date, rank}, …]}` in any order; without ranks the domain is not in the list
 * (`absent`). Source: tranco-list.eu/api_documentation.
 */
export function readTranco(answer: Answer, input: { domain: string }): Outcome<TrafficEstimate> {
  const read = jsonObjectOf(answer, WHO);
  if (!read.ok) return read.outcome;
  const { ranks, domain } = read.value;
  if (read.status === 404) return changed(`${WHO} answered in a shape that is not known.`, 'status 404');
  if (read.status !== 200) return refused(`${WHO} did not accept the request.`, `status ${read.status}`);
  if (!Array.isArray(ranks)) return changed(`${WHO} answered in a shape that is not known.`, 'no ranks');
  if (typeof domain !== 'string') return changed(`${WHO} answered in a shape that is not known.`, 'no domain');
  if (domain.toLowerCase() !== input.domain) return changed(`${WHO} answered for another domain.`, domain.slice(0, 100));
  if (!ranks.length) return absent(`${input.domain} is in none of the rank lists asked: Tranco.`);
  let newest: { date: string; rank: number } | null = null;
  for (const entry of ranks) {
    const date = isObject(entry) ? day(entry.date) : null;
    const rank = isObject(entry) ? entry.rank : null;
    if (date === null || typeof rank !== 'number' || !Number.isInteger(rank) || rank < 1) continue;
    if (!newest || date > newest.date) newest = { date, rank };
  }
  if (!newest) return changed(`${WHO} answered in a shape that is not known.`, 'no readable rank');
  return found(estimateOf(input.domain, { list: 'tranco', ...newest }, answer.at));
}
