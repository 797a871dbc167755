import { isObject } from '../contract/json-object.ts';
import { type Answer, isCutJson } from '../upstream/answer.ts';
import { brokenOff } from '../upstream/http/failures.ts';
import { hasEndTag } from './html/markup.ts';
import type { NotFound } from './outcome.ts';

/**
 * What was cut in its transfer is no new form of the platform: it may be asked for again. A whole answer of unknown form stays `changed`.
 * Results of every parser and reader pass the first; those of readers of pages pass the second, too.
 */
export const unlessCutJson = <Result>(result: Result, answer: Answer): Result | NotFound => unless(isCutJson, result, answer);
export const unlessCutPage = <Result>(result: Result, answer: Answer): Result | NotFound => unless(isCutPage, result, answer);

function unless<Result>(isCut: (answer: Answer) => boolean, result: Result, answer: Answer): Result | NotFound {
  if (!isObject(result) || result.tag !== 'changed' || !isCut(answer)) return result;
  return brokenOff(`HTTP ${answer.status}`, `no end after ${answer.body.length} bytes`);
}

/** A platform closes its pages; error pages of other servers often omit the end tags, and are whole. */
function isCutPage({ status, body }: Answer): boolean {
  const page = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return status === 200 && /^\s*<(?:!doctype html|html)\b/i.test(page.toString('latin1', 0, 512)) && !hasEndTag(page);
}
