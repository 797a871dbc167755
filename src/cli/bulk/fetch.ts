import type { Dispatcher } from 'undici';
import type { FetchAnswer, FetchLike } from '../../client/index.ts';

/** `fetch` over undici's dispatch: a stream for each answer costs as much as the rest. A body ends after `maxBytes`; the client refuses it. */
export const fetchBy =
  (dispatcher: Dispatcher, maxBytes: number): FetchLike =>
  (url, { method, headers, signal, body = null }) =>
    new Promise((resolve, reject) => {
      const { origin, pathname, search } = new URL(url);
      const parts: Buffer[] = [];
      let bytes = 0;
      let answer: FetchAnswer;
      const options = { origin, path: `${pathname}${search}`, method, headers, body };
      dispatcher.dispatch(options, {
        onRequestStart(controller) {
          if (signal.aborted) controller.abort(signal.reason);
          else signal.addEventListener('abort', () => controller.abort(signal.reason));
        },
        onResponseStart(_, status, fields) {
          const get = (name: string) => String(fields[name] ?? '') || null;
          answer = { status, headers: { get }, body: parts, text: async () => Buffer.concat(parts).toString() };
        },
        onResponseData(controller, part) {
          parts.push(part);
          bytes += part.length;
          if (bytes <= maxBytes) return;
          resolve(answer);
          controller.abort(new Error('the answer is too large'));
        },
        onResponseEnd: () => resolve(answer),
        onResponseError: (_, error) => reject(error),
      });
    });
