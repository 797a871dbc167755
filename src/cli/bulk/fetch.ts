import type { Dispatcher } from 'undici';
import type { FetchAnswer, FetchLike } from '../../client/index.ts';

/** `fetch` over undici's dispatch, without its stream per answer, which costs as much as the rest. At most `maxBytes` of a body are awaited. */
export const fetchBy =
  (dispatcher: Dispatcher, maxBytes: number): FetchLike =>
  (url, { method, headers, signal, body = null }) =>
    new Promise((resolve, reject) => {
      const { origin, pathname, search } = new URL(url);
      const parts: Buffer[] = [];
      let [status, bytes] = [0, 0];
      let fields: Readonly<Record<string, string | string[] | undefined>> = {};
      const get = (name: string): string | null => {
        const field = fields[name];
        return (Array.isArray(field) ? field.join(', ') : field) || null;
      };
      const answer = (): FetchAnswer => ({ status, headers: { get }, body: parts, text: async () => Buffer.concat(parts).toString() });
      dispatcher.dispatch(
        { origin, path: `${pathname}${search}`, method, headers, body },
        {
          onRequestStart(controller) {
            const stop = () => controller.abort(signal.reason);
            if (signal.aborted) stop();
            else signal.addEventListener('abort', stop, { once: true });
          },
          onResponseStart(_, statusCode, received) {
            [status, fields] = [statusCode, received];
          },
          onResponseData(controller, part) {
            parts.push(part);
            bytes += part.length;
            if (bytes <= maxBytes) return;
            // the client counts the bytes itself, and refuses the answer
            resolve(answer());
            controller.abort(new Error('the answer is too large'));
          },
          onResponseEnd: () => resolve(answer()),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
