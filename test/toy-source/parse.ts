import { isObject } from '../../src/contract/json-object.ts';
import type { TrafficEstimate } from '../../src/contract/operations/traffic/operation.ts';
import { evidenceIn } from '../../src/sources/evidence.ts';
import { absent, blocked, changed, failureOfStatus, found } from '../../src/sources/outcome.ts';
import type { Reader } from '../../src/sources/source.ts';
import { fieldsAt } from '../../src/sources/tables.ts';
import { emptyEstimate } from '../../src/sources/traffic/provider-answer.ts';
import { countIn, wordsIn } from '../../src/sources/untyped-json.ts';
import { bodyText, jsonOf } from '../../src/upstream/answer.ts';

const UNKNOWN_DOMAIN = evidenceIn(new URL('./evidence.tsv', import.meta.url))('unknown domain');
const unreadPlaces = fieldsAt({ visits: 'visits', period: 'month' }).unread;

/** Parses `{"domain": "acme-widgets.com", "month": "2026-10", "visits": 1204000}`; `{"error": "unknown domain"}` is the panel's "no data". */
export const readToy: Reader<'traffic'> = (answer, { domain }) => {
  const body = jsonOf(answer);
  if (!isObject(body) && answer.status === 200)
    return /^\s*</.test(bodyText(answer)) ? blocked('The panel gave a page.') : changed('The answer of the panel is no object.');
  if (!isObject(body)) return failureOfStatus(answer, { gone: 'Not the panel.' });
  if (body.error === 'unknown domain') return absent(UNKNOWN_DOMAIN, `The panel has no data of ${domain}.`);
  if (answer.status !== 200) return failureOfStatus(answer, { gone: 'Not the panel.' });
  if (body.domain !== domain) return changed('The answer is about another domain.');
  const month = wordsIn(body.month) ?? '';
  const estimate: TrafficEstimate = {
    ...emptyEstimate(domain, answer.atMs),
    period: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : null,
    visits: countIn(body.visits),
    confidence: 'medium',
  };
  if (estimate.visits === null) return changed('The answer states no visits.');
  return found(estimate, undefined, unreadPlaces(estimate, body));
};
